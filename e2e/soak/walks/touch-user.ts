import type { Locator, Page } from 'playwright/test';

import { expect } from '../../fixtures.ts';
import type { WalkUser } from './walk-user.ts';

/** Least width and height of a touch target in CSS px. */
const minTargetPx = 24;

/** Uses only taps and the on-screen keyboard, and checks each target and the width of the page. */
export class TouchUser implements WalkUser {
  private readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  async press(target: Locator): Promise<void> {
    // A sheet that slides in reaches its place after some frames.
    let center = { x: 0, y: 0 };
    const findFault = async () => {
      const checkedTarget = await target.evaluate(checkTarget, minTargetPx);
      ({ center } = checkedTarget);
      return checkedTarget.fault;
    };
    await expect.poll(findFault, String(target)).toBe('');
    await this.page.touchscreen.tap(center.x, center.y);
    await expect
      .poll(
        () => this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        'horizontal overflow',
      )
      .toBeLessThanOrEqual(0);
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.press(target);
    await expect(target).toBeFocused();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  async choose(combobox: Locator, option: RegExp): Promise<void> {
    if ((await combobox.getAttribute('aria-expanded')) !== 'true') await this.press(combobox);
    await this.press(this.page.getByRole('option', { name: option }).first());
  }

  async send(text: string): Promise<void> {
    await this.fill(this.page.getByRole('textbox', { name: 'Message', exact: true }), text);
    await this.press(this.page.getByRole('button', { name: /^Send/ }));
  }

  async pressComposerTool(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name, exact: true });
    if (!(await button.isVisible())) await this.pressButton('More message options');
    await this.press(button);
  }

  async openScreen(name: string): Promise<void> {
    await this.pressButton('Workspaces menu');
    await this.press(this.page.getByRole('link', { name, exact: true }));
  }

  async pressSessionTool(name: string): Promise<void> {
    const button = this.page.locator('[data-region=session-bar]').getByRole('button', { name, exact: true });
    if (!(await button.isVisible())) await this.pressButton('Session tools');
    await this.press(button);
  }

  async submit(target: Locator, text: string): Promise<void> {
    await this.fill(target, text);
    await this.page.keyboard.press('Enter');
  }

  async pressAppTool(name: string): Promise<void> {
    await this.pressButton('Workspaces menu');
    await this.pressButton(name);
  }

  async openCell(name: RegExp): Promise<void> {
    await this.press(this.page.getByRole('button', { name }));
  }

  openSetup(): Promise<void> {
    return this.pressButton('Setup');
  }

  async openParameters(): Promise<void> {
    await this.press(this.page.getByRole('button', { name: /^Parameters, \d+ sent/ }));
  }

  closeParameters(): Promise<void> {
    return this.pressButton('Done');
  }

  async closeFront(): Promise<void> {
    await this.press(this.page.getByRole('button', { name: /^Close/ }).last());
  }

  private async pressButton(name: string): Promise<void> {
    await this.press(this.page.getByRole('button', { name, exact: true }));
  }
}

/**
 * Runs in the page: scrolls to the element and returns its center, and why a finger cannot press it or an empty string.
 */
function checkTarget(element: Element, minPx: number): { center: { x: number; y: number }; fault: string } {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = element.getBoundingClientRect();
  const center = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const isInside = box.left >= 0 && box.right <= innerWidth && center.y > 0 && center.y < innerHeight;
  if (!isInside)
    return {
      center,
      fault: `outside of the viewport: ${box.left} to ${box.right}, ${box.top} to ${box.bottom}`,
    };
  // A small control may have a larger target around it. The message field has buttons at its ends.
  const edgePx = element.matches('textarea, input, [contenteditable=true]') ? Infinity : 4;
  const reachX = Math.max(minPx / 2 - 1, box.width / 2 - edgePx);
  const reachY = Math.max(
    minPx / 2 - 1,
    Math.min(box.height, innerHeight - box.top, box.bottom) / 2 - edgePx,
  );
  for (const [x, y] of [
    [0, 0],
    [-reachX, 0],
    [reachX, 0],
    [0, -reachY],
    [0, reachY],
  ] as const) {
    const root = element.getRootNode();
    const hit = (root instanceof ShadowRoot ? root : document).elementFromPoint(center.x + x, center.y + y);
    const isHit = hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
    if (!isHit)
      return {
        center,
        fault: `${x}, ${y} px from the center is ${hit?.outerHTML.slice(0, 160) ?? 'nothing'}`,
      };
  }
  return { center, fault: '' };
}
