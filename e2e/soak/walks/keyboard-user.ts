import type { Locator, Page } from 'playwright/test';

import { expect } from '../../fixtures.ts';
import type { WalkUser } from './walk-user.ts';

/** Groups of controls with one tab stop; arrow keys move inside. */
const compositeSelector = '[role=toolbar], [role=radiogroup], [role=tablist], [role=menu]';
const maxSteps = 150;

/** Uses only keys, and checks after each that the focus is visible. */
export class KeyboardUser implements WalkUser {
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Presses a key and waits until the focus is on a visible element. */
  async pressKey(key: string): Promise<void> {
    const previous = await this.page.evaluate(describeFocused);
    await this.page.keyboard.press(key);
    const findFault = () => this.page.evaluate(describeFocusFault);
    await expect.poll(findFault, `after ${key} on ${previous}`).toBe('');
  }

  async press(target: Locator): Promise<void> {
    await this.reach(target);
    const role = await target.evaluate(
      (element) => element.getAttribute('role') ?? element.getAttribute('type'),
    );
    await this.pressKey(role === 'checkbox' || role === 'radio' || role === 'switch' ? 'Space' : 'Enter');
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.pressKey('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  async choose(combobox: Locator, option: RegExp): Promise<void> {
    await this.reach(combobox);
    if ((await combobox.getAttribute('aria-expanded')) !== 'true') await this.pressKey('ArrowDown');
    await expect(combobox).toHaveAttribute('aria-expanded', 'true');
    const highlighted = this.page
      .getByRole('option', { name: option })
      .and(this.page.locator('[data-highlighted]'));
    for (let step = 0; step < maxSteps && (await highlighted.count()) === 0; step += 1)
      await this.pressKey('ArrowDown');
    await this.pressKey('Enter');
  }

  async send(text: string): Promise<void> {
    await this.fill(this.page.getByRole('textbox', { name: 'Message', exact: true }), text);
    await this.pressKey('Enter');
  }

  pressComposerTool(name: string): Promise<void> {
    return this.pressButton(name);
  }

  async openScreen(name: string): Promise<void> {
    await this.press(this.page.getByRole('link', { name, exact: true }));
  }

  async pressSessionTool(name: string): Promise<void> {
    await this.press(
      this.page.locator('[data-region=session-bar]').getByRole('button', { name, exact: true }),
    );
  }

  async submit(target: Locator, text: string): Promise<void> {
    await this.fill(target, text);
    await this.pressKey('Enter');
  }

  pressAppTool(name: string): Promise<void> {
    return this.pressButton(name);
  }

  async openCell(name: RegExp): Promise<void> {
    const grid = this.page.getByRole('grid', { name: 'Cases' });
    const activeId = () => grid.getAttribute('aria-activedescendant');
    await this.reach(grid);
    await this.pressKey('ControlOrMeta+Home');
    const row = grid.getByRole('row').filter({ has: this.page.getByRole('gridcell', { name }) });
    const isActiveIn = async (part: Locator) =>
      (await part.locator(`[id="${await activeId()}"]`).count()) > 0;
    for (let step = 0; step < maxSteps && !(await isActiveIn(row)); step += 1)
      await this.pressKey('ArrowDown');
    const cellId = await row.getByRole('gridcell', { name }).getAttribute('id');
    for (let step = 0; step < maxSteps && (await activeId()) !== cellId; step += 1)
      await this.pressKey('ArrowRight');
    await this.pressKey('Enter');
  }

  openSetup(): Promise<void> {
    return this.pressButton('Setup');
  }

  // The parameters are beside the conversation.
  async openParameters(): Promise<void> {}
  async closeParameters(): Promise<void> {}

  async closeFront(): Promise<void> {
    await this.pressKey('Escape');
  }

  private async pressButton(name: string): Promise<void> {
    await this.press(this.page.getByRole('button', { name, exact: true }));
  }

  /** Moves the focus to an element: by F6 to its region, by Tab to its group, and by arrow keys inside the group. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    const visited: string[] = [];
    for (let step = 0; step < maxSteps; step += 1) {
      if ((await focused.count()) > 0) return;
      const key = await target.evaluate(getNextKey, compositeSelector);
      await this.pressKey(key);
      visited.push(`${key}: ${await this.page.evaluate(describeFocused)}`);
    }
    throw new Error(`The keyboard does not reach ${String(target)}:\n${visited.slice(-25).join('\n')}`);
  }
}

/** Runs in the page: returns the key that brings the focus nearer to the target. */
function getNextKey(target: Element, composites: string): string {
  const focused = document.activeElement;
  const group = target.closest(composites);
  // Without a tab stop of its own, or a radio button, which has one only while it is chosen.
  const isReachedByArrow =
    target instanceof HTMLElement && (target.tabIndex < 0 || target.matches('[type=radio]'));
  if (group?.contains(focused) === true && focused !== group && isReachedByArrow)
    return group.matches('[role=menu], [aria-orientation=vertical]') ? 'ArrowDown' : 'ArrowRight';
  const region = target.closest('[data-region]');
  const isInDialog = document.querySelector(':modal') !== null || target.closest(':popover-open') !== null;
  if (!isInDialog && region?.contains(focused) === false) return 'F6';
  const isBefore =
    (target.compareDocumentPosition(focused ?? target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return isBefore ? 'Shift+Tab' : 'Tab';
}

/** Runs in the page: returns the tag and name of the focused element. */
function describeFocused(): string {
  const element = document.activeElement;
  const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  return `${element?.tagName.toLowerCase() ?? ''} ${name.trim().slice(0, 60)}`;
}

/** Runs in the page: returns why a user cannot see the focus, or an empty string. */
function describeFocusFault(): string {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return 'no element has the focus';
  const name = `${element.tagName.toLowerCase()} ${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 60)}`;
  if (!element.matches(':focus-visible')) return `${name} shows no focus`;
  // Hidden inputs are drawn by their label.
  const drawnElement =
    element.getBoundingClientRect().width > 1 ? element : (element.closest('label') ?? element);
  const box = drawnElement.getBoundingClientRect();
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)];
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)];
  if (right - left < 1 || bottom - top < 1) return `${name} is out of view`;
  let hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (!hit || (!drawnElement.contains(hit) && !hit.contains(drawnElement)))
    return `${name} is covered by ${hit?.outerHTML.slice(0, 120) ?? 'nothing'}`;
  return '';
}
