import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { focusNextRegion } from './regions.ts';

it('reaches every region inside a region, and what is in none of them', () => {
  render(
    <>
      <header data-region>
        <button type="button">Menu</button>
      </header>
      <main data-region>
        <button type="button">Title</button>
        <section data-region>
          <button type="button">Plan</button>
        </section>
        <aside data-region>
          <button type="button">Setup</button>
        </aside>
        <button type="button" data-region-home>
          Cases
        </button>
      </main>
    </>,
  );
  const visitRegions = (step: 1 | -1) =>
    Array.from({ length: 5 }, () => {
      focusNextRegion(step);
      return document.activeElement?.textContent;
    });
  screen.getByText('Menu').focus();
  expect(visitRegions(1)).toEqual(['Cases', 'Plan', 'Setup', 'Menu', 'Cases']);
  expect(visitRegions(-1)).toEqual(['Menu', 'Setup', 'Plan', 'Cases', 'Menu']);
});
