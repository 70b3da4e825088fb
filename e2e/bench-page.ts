import { expect, type Locator, type Page } from 'playwright/test';

/** Drives Bench by role and accessible name, as users find its controls. */
export class BenchPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the app and waits for the composer. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    // Uses `waitFor` instead of an expectation, which would describe the whole page on every failed attempt.
    await this.message.waitFor();
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get model(): Locator {
    return this.page.getByRole('region', { name: 'Lane A' }).getByRole('combobox', { name: 'Model' });
  }

  get system(): Locator {
    return this.page.getByRole('textbox', { name: 'System prompt' });
  }

  get parameters(): Locator {
    return this.page.getByRole('complementary', { name: 'Parameters' });
  }

  get health(): Locator {
    return this.page.getByRole('status', { name: 'Gateway health' });
  }

  get prompts(): Locator {
    return this.page.getByRole('article', { name: 'User message' });
  }

  get replies(): Locator {
    return this.page.getByRole('article', { name: /^Assistant message/ });
  }

  /** Heading that is shown instead of an empty conversation. */
  get noConversation(): Locator {
    return this.page.getByRole('heading', { name: 'Ask one model, or several at once' });
  }

  /** Title of the current session. */
  get title(): Locator {
    return this.page.getByRole('heading', { level: 1 }).first();
  }

  /** Chooses an item from the "More actions" menu of a reply. */
  async chooseMoreAction(reply: Locator, item: string): Promise<void> {
    await reply.getByRole('button', { name: 'More actions' }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Chooses an item from the session menu. */
  async chooseSessionAction(item: string): Promise<void> {
    await this.getButton('Session menu').click();
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  get lastReply(): Locator {
    return this.replies.last();
  }

  /** Returns the reply in this turn, numbered from 1. */
  getReply(turn: number): Locator {
    return this.page.getByRole('article', {
      name: new RegExp(`^Assistant message, lane A,.* turn ${turn}$`),
    });
  }

  /** Returns the error card or line in a reply. */
  getError(reply = this.lastReply): Locator {
    return reply.getByRole('group', { name: 'Error' });
  }

  getMetrics(turn: number): Locator {
    return this.page.getByRole('group', { name: `Metrics, lane A, turn ${turn}` });
  }

  /** Undo button of the visible notice after a deletion. */
  get undo(): Locator {
    return this.page.getByRole('button', { name: 'Undo' });
  }

  /** Returns the screen reader announcement with this text. */
  getAnnouncement(text: string | RegExp): Locator {
    return this.page.getByRole('status').filter({ hasText: text });
  }

  /** Resolves when all changes are stored. */
  async waitUntilSaved(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-saved', 'yes');
  }

  /** Reloads the page after all changes are stored. */
  async reload(): Promise<void> {
    await this.waitUntilSaved();
    await this.page.reload();
  }

  /** Opens the app in another tab of the same browser. */
  async openInNewTab(url: string): Promise<BenchPage> {
    const newTab = new BenchPage(await this.page.context().newPage());
    await newTab.open(url);
    return newTab;
  }

  /** Starts a new session and waits until it is visible. */
  async startNewSession(): Promise<void> {
    await this.getButton('New session').click();
    await expect(this.noConversation).toBeVisible();
    await expect(this.message).toBeVisible();
  }

  /** Opens the model list and returns its options. */
  async openModelList(): Promise<Locator> {
    await this.model.click();
    const options = this.page.getByRole('listbox', { name: 'Model' }).getByRole('option');
    await expect(options.first()).toBeVisible();
    return options;
  }

  getButton(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  async selectModel(id: string): Promise<void> {
    // The default model may load into the field while the test fills it.
    await expect(async () => {
      await this.model.fill(id);
      await expect(this.model).toHaveValue(id, { timeout: 500 });
    }).toPass();
    await this.model.press('Enter');
    await expect(this.model).toHaveValue(id);
  }

  /** Sends a message; resolves when it is in the conversation. */
  async send(text: string): Promise<void> {
    // Stored messages render shortly after the composer; counting them earlier would give the wrong number.
    await expect(
      this.noConversation
        .or(this.prompts)
        .or(this.page.getByRole('group', { name: 'Gateway setup' }))
        .first(),
    ).toBeVisible();
    const promptCount = await this.prompts.count();
    await this.message.fill(text);
    await this.message.press('Enter');
    await expect(this.prompts).toHaveCount(promptCount + 1);
  }

  /** Sends a message and waits for the end of the answer, whatever its status. */
  async sendAndWait(text: string): Promise<Locator> {
    await this.send(text);
    await this.waitUntilEnded();
    return this.lastReply;
  }

  async waitUntilEnded(): Promise<void> {
    await expect(this.lastReply).toHaveAttribute(
      'data-status',
      /complete|truncated|stopped|failed|interrupted/,
    );
  }

  /** Checks or unchecks "Send NAME". */
  async setParameterSent(name: string, isSent = true): Promise<void> {
    await this.parameters.getByRole('checkbox', { name: `Send ${name}`, exact: true }).setChecked(isSent);
  }
}
