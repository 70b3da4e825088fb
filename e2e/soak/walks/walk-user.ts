import type { Locator } from 'playwright/test';

/** A user with one kind of input. Every step fails if it cannot be done with that input. */
export interface WalkUser {
  /** Activates a button, link, option of a group or menu item. */
  press: (target: Locator) => Promise<void>;
  /** Replaces the text of a field. */
  fill: (target: Locator, text: string) => Promise<void>;
  /** Chooses an option of a combobox. */
  choose: (combobox: Locator, option: RegExp) => Promise<void>;
  /** Writes a message and sends it. */
  send: (text: string) => Promise<void>;
  /** Replaces the text of a field and presses Enter. */
  submit: (target: Locator, text: string) => Promise<void>;
  /** Presses a button of the composer. */
  pressComposerTool: (name: string) => Promise<void>;
  /** Opens a page of the app by its link. */
  openScreen: (name: string) => Promise<void>;
  /** Presses a button of the session bar. */
  pressSessionTool: (name: string) => Promise<void>;
  /** Presses a button of the top bar. */
  pressAppTool: (name: string) => Promise<void>;
  /** Opens the cell of a trial. */
  openCell: (name: RegExp) => Promise<void>;
  /** Opens the setup of a trial. */
  openSetup: () => Promise<void>;
  openParameters: () => Promise<void>;
  closeParameters: () => Promise<void>;
  /** Closes the dialog or panel that is in front. */
  closeFront: () => Promise<void>;
}
