import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createBench } from '../../testing/bench.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';

async function openSheet() {
  const bench = await createBench({ path: '/' });
  const { user } = renderWithPlayground(<ShortcutsSheet onClose={() => undefined} />, { playground: bench });
  return { user, field: screen.getByRole('searchbox', { name: 'Find a shortcut' }) };
}

const listLabels = () => screen.queryAllByRole('term').map(({ textContent }) => textContent);

describe('list of keyboard shortcuts', () => {
  it('has one row for the same shortcut of all lanes, and the current screen first', async () => {
    await openSheet();
    expect(listLabels().filter((label) => label.startsWith('Lane '))).toEqual(['Lane A to F is better']);
    expect(listLabels()).toContain('Bring lane A to F into view');
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(
      expect.objectContaining({ 0: 'Playground', 1: 'All screens' }),
    );
  });

  it('finds shortcuts of every screen by action and by key, and clears the search on Escape', async () => {
    const { user, field } = await openSheet();
    const labelCount = listLabels().length;
    await user.type(field, 'similarity page');
    expect(listLabels()).toEqual(['Ten rows up or down']);
    await user.clear(field);
    await user.type(field, 'ctrl k');
    expect(listLabels()).toContain('Search or run a command');
    await user.clear(field);
    await user.type(field, 'no such key');
    expect(screen.getByRole('status').textContent).toBe('No shortcuts match.');
    await user.keyboard('{Escape}');
    expect(listLabels()).toHaveLength(labelCount);
  });
});
