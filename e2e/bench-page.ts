import { expect, type Locator, type Page } from 'playwright/test';

/** Bench as a person meets it: everything by role and name, as the contract has them. */
export class BenchPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the app and waits until it can be written to. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    // An expectation would describe the whole page each time it looks in vain.
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

  /** What is shown in place of a conversation without messages. */
  get noConversation(): Locator {
    return this.page.getByRole('heading', { name: 'Ask one model, or several at once' });
  }

  /** The title of the session on screen. */
  get title(): Locator {
    return this.page.getByRole('heading', { level: 1 }).first();
  }

  /** Picks what is done less often with this reply. */
  async chooseMoreAction(reply: Locator, item: string): Promise<void> {
    await reply.getByRole('button', { name: 'More actions' }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  get lastReply(): Locator {
    return this.replies.last();
  }

  /** The reply to the prompt with this number, from 1. */
  getReply(turn: number): Locator {
    return this.page.getByRole('article', {
      name: new RegExp(`^Assistant message, lane A,.* turn ${turn}$`),
    });
  }

  /** The card or line in this reply that says what went wrong. */
  getError(reply = this.lastReply): Locator {
    return reply.getByRole('group', { name: 'Error' });
  }

  getMetrics(turn: number): Locator {
    return this.page.getByRole('group', { name: `Metrics, lane A, turn ${turn}` });
  }

  /** The bar that offers to take a deletion back, as it is seen. */
  get undo(): Locator {
    return this.page.getByRole('button', { name: 'Undo' });
  }

  /** The sentence that is read out about the deletion. */
  getAnnouncement(text: string | RegExp): Locator {
    return this.page.getByRole('status').filter({ hasText: text });
  }

  /** Resolves once all that was done is stored. */
  async waitUntilSaved(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-saved', 'yes');
  }

  /** Reloads once what was done is stored. */
  async reload(): Promise<void> {
    await this.waitUntilSaved();
    await this.page.reload();
  }

  /** The same app in another tab of the same browser. */
  async openInNewTab(url: string): Promise<BenchPage> {
    const newTab = new BenchPage(await this.page.context().newPage());
    await newTab.open(url);
    return newTab;
  }

  /** Starts a new session and waits until it is the one on screen. */
  async startNewSession(): Promise<void> {
    await this.getButton('New session').click();
    await expect(this.noConversation).toBeVisible();
    await expect(this.message).toBeVisible();
  }

  /** Opens the model list and answers with its options. */
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
    // The first model may arrive in the field while one writes in it.
    await expect(async () => {
      await this.model.fill(id);
      await expect(this.model).toHaveValue(id, { timeout: 500 });
    }).toPass();
    await this.model.press('Enter');
    await expect(this.model).toHaveValue(id);
  }

  /** Writes and sends; resolves once the message is in the conversation. */
  async send(text: string): Promise<void> {
    // What is stored is drawn a moment after the composer: only then can one count.
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

  /** Sends and waits for the end of the answer, whatever it is. */
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

  /** Ticks or unticks "Send NAME". */
  async setParameterSent(name: string, isSent = true): Promise<void> {
    await this.parameters.getByRole('checkbox', { name: `Send ${name}`, exact: true }).setChecked(isSent);
  }
}
