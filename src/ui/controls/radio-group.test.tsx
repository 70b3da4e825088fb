import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { RadioChoice, RadioGroup } from './radio-group.tsx';
import { Segmented } from './segmented.tsx';

const sizes = ['Small', 'Normal', 'Big'];

/** Renders sizes to choose from, of which "Big" is unavailable, and a button that chooses "Normal". */
function Sizes() {
  const [size, setSize] = useState('Small');
  return (
    <>
      <button type="button" onClick={() => setSize('Normal')}>
        Reset
      </button>
      <Segmented
        label="Size"
        value={size}
        choices={sizes.map((value) => ({
          value,
          label: value,
          ...(value === 'Big' ? { disabledReason: 'Too big' } : {}),
        }))}
        onChange={setSize}
      />
    </>
  );
}

function describeFocused(): string {
  const { activeElement } = document;
  return `${activeElement?.textContent ?? ''} ${activeElement?.getAttribute('aria-checked') ?? ''}`;
}

describe('segmented control', () => {
  it('chooses with arrow keys in both directions, Home and End', async () => {
    render(<Sizes />);
    const user = userEvent.setup();
    await user.tab();
    await user.tab();
    expect(describeFocused()).toBe('Small true');
    for (const [key, expected] of [
      ['ArrowRight', 'Normal true'],
      ['ArrowLeft', 'Small true'],
      ['ArrowDown', 'Normal true'],
      ['ArrowUp', 'Small true'],
      ['ArrowUp', 'Big false'],
      ['ArrowDown', 'Small true'],
      ['End', 'Big false'],
      ['Home', 'Small true'],
    ] as const) {
      await user.keyboard(`{${key}}`);
      expect(describeFocused(), key).toBe(expected);
    }
  });

  it('is one tab stop, which follows a value that changes elsewhere', async () => {
    render(<Sizes />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    await user.tab();
    expect(describeFocused()).toBe('Normal true');
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });

  it('keeps an unavailable choice focusable, with the reason as its title, and does not choose it', async () => {
    render(<Sizes />);
    const big = screen.getByRole('radio', { name: 'Big' });
    await userEvent.click(big);
    expect(describeFocused()).toBe('Big false');
    expect(big.getAttribute('aria-disabled')).toBe('true');
    expect(big.title).toBe('Too big');
    expect(screen.getByRole('radio', { checked: true }).textContent).toBe('Small');
  });
});

describe('radio group without onChange', () => {
  it('moves only the focus with arrow keys, so that the choice can be taken back by choosing it again', async () => {
    const clicks: string[] = [];
    render(
      <RadioGroup label="Better" value="A">
        {['A', 'B'].map((value) => (
          <RadioChoice key={value} value={value} onClick={() => clicks.push(value)}>
            {value}
          </RadioChoice>
        ))}
      </RadioGroup>,
    );
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard('{ArrowRight}');
    expect(describeFocused()).toBe('B false');
    await user.keyboard('{Enter}{ArrowLeft} ');
    expect(clicks).toEqual(['B', 'A']);
  });
});
