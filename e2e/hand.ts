import type { Locator, Page } from 'playwright/test';

/** As one who has no pointer: keys have led there, so this is not a second press of what was used before. */
export async function enter(control: Locator): Promise<void> {
  await control.focus();
  await control.press('F9');
  await control.press('Enter');
}

/** A hand at mouse and keyboard: the page itself counts what is really clicked and which fields are really written in. */
export class Hand {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** To be called before the page is opened. */
  async watch(): Promise<void> {
    await this.page.addInitScript(() => {
      const counted = (key: string) => Number(sessionStorage.getItem(key) ?? 0);
      const count = (key: string) => sessionStorage.setItem(key, String(counted(key) + 1));
      const isField = (target: EventTarget | null) =>
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLInputElement && !/^(?:checkbox|radio|file|button|range)$/.test(target.type)) ||
        (target instanceof HTMLElement && target.isContentEditable);
      let writtenIn: EventTarget | null = null;
      // A key that presses a button is a click without a pointer.
      // What was really clicked, also inside of an editor with a shadow root.
      const targetOf = (event: Event) => event.composedPath()[0] ?? null;
      const onClick = (event: MouseEvent) => {
        if (event.isTrusted && event.detail > 0 && !isField(targetOf(event))) count('hand-clicks');
      };
      const onInput = (event: Event) => {
        const target = targetOf(event);
        if (!event.isTrusted || !isField(target) || target === writtenIn) return;
        writtenIn = target;
        count('hand-fields');
      };
      addEventListener('click', onClick, true);
      addEventListener('input', onInput, true);
    });
  }

  async reset(): Promise<void> {
    await this.page.evaluate(() => {
      sessionStorage.removeItem('hand-clicks');
      sessionStorage.removeItem('hand-fields');
    });
  }

  async cost(): Promise<{ clicks: number; fields: number }> {
    return this.page.evaluate(() => ({
      clicks: Number(sessionStorage.getItem('hand-clicks') ?? 0),
      fields: Number(sessionStorage.getItem('hand-fields') ?? 0),
    }));
  }

  async click(target: Locator): Promise<void> {
    await target.click();
  }

  /** Clicks into the field, and writes over what it holds. */
  async write(field: Locator, text: string): Promise<void> {
    await field.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }
}
