import type { Locator, Page } from 'playwright/test';

/** Drives the inspector by role and accessible name. */
export class InspectorDriver {
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
  getTab(name: string): Locator {
    return this.drawer.getByRole('tab', { name });
  }
}
