import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { defaultParams, PARAMS, type ParamControl, type Params } from '../../conversation/setup/params.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { ParameterSidebar } from './parameter-sidebar.tsx';

/** Renders the sidebar of the demo gateway for lanes with these parameters; an edit changes nothing. */
function renderSidebar(...lanes: [Params, ...Params[]]) {
  return renderSidebarOf({ isDemo: true }, lanes);
}

function renderSidebarOf({ isDemo }: { isDemo: boolean }, lanes: [Params, ...Params[]]) {
  const letters = lanes.map((_, index) => String.fromCharCode(65 + index));
  return renderWithPlayground(
    <ParameterSidebar
      params={lanes[0]}
      model="demo/guide"
      lanes={letters.map((letter, index) => ({ letter, params: lanes[index] ?? {} }))}
      scopeLetters={letters}
      isDemo={isDemo}
      onReset={() => undefined}
      onEdit={() => undefined}
      onClose={() => undefined}
    />,
  );
}

const rolesByControl: Partial<Record<ParamControl['type'], string>> = {
  number: 'spinbutton',
  switch: 'switch',
  lines: 'textbox',
  json: 'textbox',
  'response-format': 'combobox',
  'tool-choice': 'combobox',
};

describe('parameter sidebar on a first visit', () => {
  it('shows a checkbox for every request field, checked if the field is sent', () => {
    renderSidebar(defaultParams);
    const checkedRows = PARAMS.filter(
      ({ name }) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Send ${name}` }).checked,
    );
    expect(checkedRows.map((row) => row.name)).toEqual(['stream', 'stream_options']);
  });

  it('shows the labelled control of every request field even while the field is not sent', async () => {
    renderSidebar(defaultParams);
    for (const { name, control } of PARAMS) {
      const role = rolesByControl[control.type];
      if (role !== undefined) expect(await screen.findAllByRole(role, { name })).toHaveLength(1);
    }
    expect(screen.getByRole('button', { name: 'Edit tools, not sent' })).toBeTruthy();
  });

  it("shows the gateway's default, if known, for fields that are not sent", () => {
    renderSidebar(defaultParams);
    expect(screen.getAllByPlaceholderText('default 0.7')).not.toHaveLength(0);
    expect(screen.getAllByPlaceholderText('not sent')).not.toHaveLength(0);
    expect(screen.getByText(`2 of ${PARAMS.length} sent`)).toBeTruthy();
  });

  it('does not show a slider for a field that is not sent', () => {
    renderSidebar(defaultParams);
    expect(screen.queryByRole('slider')).toBeNull();
  });
});

describe('parameter sidebar with values', () => {
  it('shows a slider for a sent number that has a range', () => {
    renderSidebar({ temperature: { sent: true, text: '0.4' } });
    expect(screen.getByRole<HTMLInputElement>('slider', { name: 'temperature' }).value).toBe('0.4');
  });

  it('keeps an invalid parameter value and describes the problem', () => {
    renderSidebar({ thinking_budget: { sent: true, text: '64' } });
    const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'thinking_budget' });
    expect(field.value).toBe('64');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(readDescription(field)).toContain('Must be between 128 and 32,768. Not sent.');
  });

  it('indicates that a sent value equals the default', () => {
    const { unmount } = renderSidebar({ top_p: { sent: false, text: '0.7' } });
    expect(screen.queryByText('default')).toBeNull();
    unmount();
    renderSidebar({ top_p: { sent: true, text: '0.70' } });
    expect(screen.getByText('default')).toBeTruthy();
  });

  it('claims no default for a gateway that is not the demo gateway', () => {
    renderSidebarOf({ isDemo: false }, [
      { top_p: { sent: true, text: '0.7' }, thinking_budget: { sent: false, text: '' } },
    ]);
    expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: 'thinking_budget' }).placeholder).toBe(
      'not sent',
    );
    expect(document.body.innerHTML).not.toMatch(/\bdefault\b/);
  });

  it('counts a field with an invalid value as not sent', () => {
    renderSidebar({ top_p: { sent: true, text: 'x' }, n: { sent: true, text: '2' } });
    expect(screen.getByText(`1 of ${PARAMS.length} sent`)).toBeTruthy();
  });
});

it('unchecks stream_options when streaming is off, unless the user has enabled it', () => {
  renderSidebar({ ...defaultParams, stream: { sent: true, text: 'false' } });
  const isChecked = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked;
  expect(isChecked('Send stream_options')).toBe(false);
  expect(isChecked('Send stream')).toBe(true);
});

describe('parameter sidebar with differing lanes', () => {
  const createParams = (text: string, sent = true): Params => ({ temperature: { sent, text } });

  it.each([
    ['mixed 0.2 / 1.4', [createParams('0.2'), createParams('1.40')]],
    ['mixed 0.2 to 1.4', [createParams('1'), createParams('0.2'), createParams('1.4')]],
    ['mixed 7 / not sent', [createParams('7'), createParams('8', false)]],
    ['mixed 7 / not sent', [createParams('7'), createParams('x'), createParams('7', false)]],
    ['mixed', [createParams('x'), createParams('y'), createParams('z')]],
  ] as const)('shows "%s" instead of a single value', (placeholder, [first, ...others]) => {
    renderSidebar(first, ...others);
    const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'temperature' });
    expect(field.value).toBe('');
    expect(field.placeholder).toBe(placeholder);
  });

  it("shows a box for each lane and a slider tile for each lane's number", () => {
    renderSidebar(createParams('0.2'), createParams('3'), createParams('1', false));
    const listNames = (role: string) =>
      screen
        .getAllByRole(role, { name: /^Lane \w temperature$/ })
        .map((element) => element.getAttribute('aria-label')?.slice(0, 6));
    expect(listNames('spinbutton')).toEqual(['Lane A', 'Lane B', 'Lane C']);
    expect(listNames('slider')).toEqual(['Lane A', 'Lane B']);
    expect(screen.getByText('Lane B: Must be between 0 and 2. Not sent.')).toBeTruthy();
  });
});

function readDescription(element: HTMLElement): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent).join(' ');
}
