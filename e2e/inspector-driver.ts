import type { Locator, Page } from 'playwright/test';

/** The inspector as a person meets it. */
export class InspectorPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  get drawer(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }
  get grid(): Locator {
    return this.drawer.getByRole('treegrid', { name: 'Events' });
  }
  get selected(): Locator {
    return this.grid.getByRole('row', { selected: true });
  }
  tab(name: string): Locator {
    return this.drawer.getByRole('tab', { name });
  }
}
