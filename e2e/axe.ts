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

/** What axe finds wrong on the page as it is now: the rule, what it asks for, and where. `except`: rules by id. */
export async function faultsOf(
  playwrightPage: Page,
  { except = [] }: { except?: string[] } = {},
): Promise<string[]> {
  const page: unknown = playwrightPage;
  if (!isAxePage(page)) throw new Error('axe can not use this page');
  const { violations } = await new AxeBuilder({ page }).disableRules(except).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
  );
}
