/** A browser of our own on a profile that stays, so that it can be killed as the power would. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { chromium, expect, type Page } from 'playwright/test';

export interface KillableBrowser {
  page: Page;
  /** The renderer of this tab at once, as a crash does; answers with a new tab of the same browser. */
  killTab: () => Promise<Page>;
  /** The whole browser at once: no handler runs. */
  kill: () => Promise<void>;
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--remote-debugging-port=0',
];

/** Starts a browser on the profile in this folder. */
export async function startKillableBrowser(profile: string): Promise<KillableBrowser> {
  const portFile = path.join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const program = process.env['CHROMIUM_PATH'] ?? chromium.executablePath();
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect.poll(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n')).toBe(true);
  const [port = ''] = readFileSync(portFile, 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = browser.contexts()[0];
  const first = context?.pages()[0];
  if (!context || !first) throw new Error('The browser has no page');
  let page = first;
  // Made before it is needed: nothing may lie between the decision to kill and the kill.
  let spare = await context.newPage();
  await page.bringToFront();
  return {
    page,
    killTab: async () => {
      const dying = page;
      page = spare;
      const crashed = dying.waitForEvent('crash');
      const session = await context.newCDPSession(dying);
      // It never answers: there is nobody left to.
      session.send('Page.crash').catch(() => undefined);
      await crashed;
      await dying.close();
      await page.bringToFront();
      spare = await context.newPage();
      await page.bringToFront();
      return page;
    },
    kill: async () => {
      // Its whole group: no helper of it may go on writing.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
      await browser.close().catch(() => undefined);
    },
  };
}
