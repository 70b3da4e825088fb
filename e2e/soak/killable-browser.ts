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
  // Made before it is needed: nothing may lie between the decision to kill and the kill.
  let sparePage = await context.newPage();
  await page.bringToFront();
  return {
    page,
    killTab: async () => {
      const killedPage = page;
      page = sparePage;
      const crashEvent = killedPage.waitForEvent('crash');
      const cdpSession = await context.newCDPSession(killedPage);
      // It never answers: there is nobody left to.
      cdpSession.send('Page.crash').catch(() => undefined);
      await crashEvent;
      await killedPage.close();
      await page.bringToFront();
      sparePage = await context.newPage();
      await page.bringToFront();
      return page;
    },
    kill: async () => {
      // Its whole group: no helper of it may go on writing.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exitPromise;
      await browser.close().catch(() => undefined);
    },
  };
}
