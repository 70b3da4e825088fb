import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { Menu } from '../overlays/menu.tsx';
import { RenderButtonContext, renderPlainButton } from './button-element.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { Toolbar } from './toolbar.tsx';

function describeFocused(): string | null | undefined {
  return document.activeElement?.textContent;
}

describe('toolbar', () => {
  it('is one tab stop with Left, Right, Home and End, for every kind of button, also if disabled', async () => {
    render(
      <>
        <Toolbar aria-label="Answer">
          <IconButton label="Copy">copy</IconButton>
          <Button disabled>disabled</Button>
          <Menu label="More" items={[]}>
            more
          </Menu>
        </Toolbar>
        <button type="button">after</button>
      </>,
    );
    const user = userEvent.setup();
    await user.tab();
    expect(describeFocused()).toBe('copy');
    for (const [key, expected] of [
      ['ArrowRight', 'disabled'],
      ['ArrowRight', 'more'],
      ['ArrowRight', 'copy'],
      ['ArrowLeft', 'more'],
      ['Home', 'copy'],
      ['End', 'more'],
    ] as const) {
      await user.keyboard(`{${key}}`);
      expect(describeFocused(), key).toBe(expected);
    }
    await user.tab();
    expect(describeFocused()).toBe('after');
    await user.tab({ shift: true });
    expect(describeFocused(), 'returns to the last item').toBe('more');
  });

  it('leaves the keys of a part that handles them itself alone', async () => {
    render(
      <Toolbar aria-label="Answer">
        <Button>copy</Button>
        <RenderButtonContext value={renderPlainButton}>
          <Button>step</Button>
        </RenderButtonContext>
        <Button>more</Button>
      </Toolbar>,
    );
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard('{ArrowRight}');
    expect(describeFocused()).toBe('more');
    await user.tab({ shift: true });
    expect(describeFocused()).toBe('step');
    await user.keyboard('{ArrowRight}{Home}');
    expect(describeFocused()).toBe('step');
  });
});
