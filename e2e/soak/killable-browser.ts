/** Starts a separate browser with a persistent profile, which can be killed to simulate a power failure. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { chromium, expect, type Page } from 'playwright/test';

export interface KillableBrowser {
  page: Page;
  /** Crashes the renderer of this tab immediately; returns a new tab of the same browser. */
  killTab: () => Promise<Page>;
  /** Kills the whole browser immediately, without running any handler. */
  kill: () => Promise<void>;
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--remote-debugging-port=0',
];

/** Starts a browser with the profile in this folder. */
export async function startKillableBrowser(profile: string): Promise<KillableBrowser> {
  const portFile = path.join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const executablePath = process.env['CHROMIUM_PATH'] ?? chromium.executablePath();
  const child = spawn(executablePath, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: 'ignore',
    detached: true,
  });
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await expect.poll(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n')).toBe(true);
  const [port = ''] = readFileSync(portFile, 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = browser.contexts()[0];
  const firstPage = context?.pages()[0];
  if (!context || !firstPage) throw new Error('The browser has no page');
  let page = firstPage;
  // Creates the spare tab in advance, so that nothing delays the kill.
  let sparePage = await context.newPage();
  await page.bringToFront();
  return {
    page,
    killTab: async () => {
      const killedPage = page;
      page = sparePage;
      const crashEvent = killedPage.waitForEvent('crash');
      const cdpSession = await context.newCDPSession(killedPage);
      // This command never returns, because its renderer is dead.
      cdpSession.send('Page.crash').catch(() => undefined);
      await crashEvent;
      await killedPage.close();
      await page.bringToFront();
      sparePage = await context.newPage();
      await page.bringToFront();
      return page;
    },
    kill: async () => {
      // Kills the process group, so that no helper process continues writing.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exitPromise;
      await browser.close().catch(() => undefined);
    },
  };
}
