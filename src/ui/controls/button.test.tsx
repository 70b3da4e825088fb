import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode, SubmitEvent } from 'react';
import { expect, it, vi } from 'vitest';

import { Button } from './button.tsx';
import { Toolbar } from './toolbar.tsx';

it.each([
  ['alone', (button: ReactNode) => button],
  ['in a toolbar', (button: ReactNode) => <Toolbar>{button}</Toolbar>],
])('stays in the tab order but does nothing while disabled: %s', async (_, wrap) => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event: SubmitEvent) => event.preventDefault());
  const renderForm = (disabled: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Name" />
      {wrap(
        <Button type="submit" disabled={disabled} onClick={onClick}>
          Save
        </Button>,
      )}
    </form>
  );
  const { rerender } = render(renderForm(true));
  const user = userEvent.setup();
  const button = screen.getByRole('button');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  await user.type(screen.getByRole('textbox'), 'Name{Enter}');
  await user.tab();
  expect(document.activeElement).toBe(button);
  await user.keyboard('{Enter} ');
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();

  rerender(renderForm(false));
  await user.keyboard('{Enter}');
  expect(onClick).toHaveBeenCalledOnce();
  expect(onSubmit).toHaveBeenCalledOnce();
});
