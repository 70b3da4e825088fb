import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

type AxePage = ConstructorParameters<typeof AxeBuilder>[0]['page'];

/** axe brings types of its own version of Playwright along; what it uses of a page is the same in both. */
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
 * What axe finds wrong on the page as it is now, by every rule in both themes: the theme, the rule, what it asks for,
 * and where. Leaves the page in the light theme.
 */
export async function findAxeViolations(page: Page): Promise<string[]> {
  const darkViolations = await findViolationsInTheme(page, 'dark');
  return [...(await findViolationsInTheme(page, 'light')), ...darkViolations];
}

async function findViolationsInTheme(playwrightPage: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await playwrightPage.emulateMedia({ reducedMotion: 'reduce', colorScheme });
  const page: unknown = playwrightPage;
  if (!isAxePage(page)) throw new Error('axe cannot use this page');
  // There are no frames: what is right need not be listed, and no second page is needed to put results together.
  const builder = new AxeBuilder({ page })
    .options({
      resultTypes: ['violations'],
      // The second one is experimental, so axe leaves it out by itself.
      rules: { 'page-has-heading-one': { enabled: true }, 'label-content-name-mismatch': { enabled: true } },
    })
    .setLegacyMode();
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${colorScheme}: ${id}: ${help}: ${node.target.join(' ')}`),
  );
}
