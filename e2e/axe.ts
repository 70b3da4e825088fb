import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

type AxePage = ConstructorParameters<typeof AxeBuilder>[0]['page'];

/**
 * Checks for the members that axe uses. Its types come from another Playwright version, but these members are
 * identical.
 */
function isAxePage(page: unknown): page is AxePage {
  return (
    typeof page === 'object' &&
    page !== null &&
    'evaluate' in page &&
    'mainFrame' in page &&
    'context' in page
  );
}

/**
 * Returns the axe violations of the current page in both themes: theme, rule, help text and selector. Leaves the page
 * in the light theme.
 */
export async function findAxeViolations(page: Page): Promise<string[]> {
  const darkViolations = await findViolationsInTheme(page, 'dark');
  return [...(await findViolationsInTheme(page, 'light')), ...darkViolations];
}

async function findViolationsInTheme(playwrightPage: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await playwrightPage.emulateMedia({ reducedMotion: 'reduce', colorScheme });
  const page: unknown = playwrightPage;
  if (!isAxePage(page)) throw new Error('axe cannot analyse this page');
  // The app has no frames, so legacy mode avoids opening a second page to merge results. Passed rules do not have to be
  // listed.
  const builder = new AxeBuilder({ page })
    .options({
      resultTypes: ['violations'],
      // axe disables the second rule by default because it is experimental.
      rules: { 'page-has-heading-one': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
    })
    .setLegacyMode();
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${colorScheme}: ${id}: ${help}: ${node.target.join(' ')}`),
  );
}
