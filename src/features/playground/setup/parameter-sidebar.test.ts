import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { defaultParams, PARAMS, type ParamControl, type Params } from '../../../conversation/setup/params.ts';
import { createPlayground } from '../../../state/create-playground.ts';
import { createMemoryRecordStore } from '../../../storage/memory-record-store.ts';
import { createTestBrowser } from '../../../testing/browser.ts';
import { renderMarkup as drawn } from '../../../testing/render-views.tsx';
import { ParameterSidebar } from './parameter-sidebar.tsx';

const { page } = createTestBrowser().openTab({ origin: 'http://localhost' });
const playground = createPlayground(page, createMemoryRecordStore());

function renderSidebar(params: Params, otherLanes: readonly Params[] = []): string {
  const letters = ['A', 'B', 'C'].slice(0, otherLanes.length + 1);
  return drawn(
    playground,
    createElement(ParameterSidebar, {
      params,
      model: 'demo/guide',
      lanes: letters.map((letter, index) => ({ letter, params: [params, ...otherLanes][index] ?? {} })),
      scopeLetters: letters,
      isDemo: true,
      onReset: () => undefined,
      onEdit: () => {},
      onClose: () => {},
    }),
  );
}

/** Returns the opening tags with this accessible name. */
function findTagsByName(markup: string, name: string): string[] {
  const tags = markup.match(/<[a-z]+ [^>]*>/g) ?? [];
  return tags.filter((tag) => tag.includes(`aria-label="${name}"`));
}

const controlPatterns: Partial<Record<ParamControl['type'], RegExp>> = {
  number: /role="spinbutton"/,
  switch: /role="switch"/,
  lines: /^<textarea/,
  json: /^<textarea/,
  'response-format': /role="combobox"/,
  'tool-choice': /role="combobox"/,
};

describe('parameter sidebar on a first visit', () => {
  const markup = renderSidebar(defaultParams);

  it('shows a checkbox for every request field, checked if the field is sent', () => {
    const checkboxes = PARAMS.map((row) => findTagsByName(markup, `Send ${row.name}`).join());
    expect(checkboxes.filter((tags) => tags.split('type="checkbox"').length === 2)).toHaveLength(
      PARAMS.length,
    );
    const checkedRows = PARAMS.filter((_, index) => checkboxes[index]?.includes(' checked='));
    expect(checkedRows.map((row) => row.name)).toEqual(['stream', 'stream_options']);
  });

  it('shows the labelled control of every request field even while the field is not sent', () => {
    const rowsWithControl = PARAMS.filter((row) => controlPatterns[row.control.type]);
    const renderedRows = rowsWithControl.filter((row) => {
      const pattern = controlPatterns[row.control.type];
      return findTagsByName(markup, row.name).filter((tag) => pattern?.test(tag)).length === 1;
    });
    expect(renderedRows.map((row) => row.name)).toEqual(rowsWithControl.map((row) => row.name));
    expect(markup).toContain('aria-label="Edit tools, not sent"');
  });

  it("shows the gateway's default, if known, for fields that are not sent", () => {
    expect(markup).toContain('placeholder="default 0.7"');
    expect(markup).toContain('placeholder="not sent"');
    expect(markup).toContain(`2 of ${PARAMS.length} sent`);
  });

  it('does not show a slider for a field that is not sent', () => {
    expect(markup).not.toContain('type="range"');
  });
});

describe('parameter sidebar with values', () => {
  it('shows a slider for a sent number that has a range', () => {
    const tags = findTagsByName(renderSidebar({ temperature: { sent: true, text: '0.4' } }), 'temperature');
    const slider = tags.find((tag) => tag.includes('type="range"'));
    expect(slider).toContain('value="0.4"');
  });

  it('keeps an invalid parameter value and describes the problem', () => {
    const markup = renderSidebar({ thinking_budget: { sent: true, text: '64' } });
    const [field] = findTagsByName(markup, 'thinking_budget');
    expect(field).toContain('value="64"');
    expect(field).toContain('aria-invalid="true"');
    const describedById = /aria-describedby="([^"]+)"/.exec(field ?? '')?.[1];
    expect(describedById).toBeDefined();
    expect(markup).toMatch(new RegExp(`id="${describedById}">.*?Must be between 128 and 32,768. Not sent.`));
  });

  it('indicates that a sent value equals the default', () => {
    const note = /<span[^>]*>default<\/span>/;
    expect(renderSidebar({ top_p: { sent: true, text: '0.70' } })).toMatch(note);
    expect(renderSidebar({ top_p: { sent: false, text: '0.7' } })).not.toMatch(note);
  });

  it('counts a field with an invalid value as not sent', () => {
    const params: Params = { top_p: { sent: true, text: 'x' }, n: { sent: true, text: '2' } };
    expect(renderSidebar(params)).toContain(`1 of ${PARAMS.length} sent`);
  });
});

it('unchecks stream_options when streaming is off, unless the user has enabled it', () => {
  const rendered = renderSidebar({ ...defaultParams, stream: { sent: true, text: 'false' } });
  expect(findTagsByName(rendered, 'Send stream_options').join()).not.toContain(' checked=');
  expect(findTagsByName(rendered, 'Send stream').join()).toContain(' checked=');
});

describe('parameter sidebar with differing lanes', () => {
  const createParams = (text: string, sent = true): Params => ({ temperature: { sent, text } });
  const findTemperatureTags = (...lanes: Params[]) =>
    findTagsByName(renderSidebar(lanes[0] ?? {}, lanes.slice(1)), 'temperature');

  it('shows the values of differing lanes, or their range, instead of a single value', () => {
    const [box = ''] = findTemperatureTags(createParams('0.2'), createParams('1.40'));
    expect(box).toContain('value=""');
    expect(box).toContain('placeholder="mixed 0.2 / 1.4"');
    expect(findTemperatureTags(createParams('1'), createParams('0.2'), createParams('1.4'))[0]).toContain(
      '"mixed 0.2 to 1.4"',
    );
    expect(findTemperatureTags(createParams('7'), createParams('8', false))[0]).toContain(
      '"mixed 7 / not sent"',
    );
    expect(findTemperatureTags(createParams('7'), createParams('x'), createParams('7', false))[0]).toContain(
      '"mixed 7 / not sent"',
    );
    expect(findTemperatureTags(createParams('x'), createParams('y'), createParams('z'))[0]).toContain(
      '"mixed"',
    );
  });

  it("shows a box for each lane and a slider tile for each lane's number", () => {
    const markup = renderSidebar(createParams('0.2'), [createParams('3'), createParams('1', false)]);
    const roles = ['A', 'B', 'C'].map((letter) =>
      findTagsByName(markup, `Lane ${letter} temperature`).map((tag) => /role="(\w+)"/.exec(tag)?.[1]),
    );
    expect(roles).toEqual([['spinbutton', 'slider'], ['spinbutton', 'slider'], ['spinbutton']]);
    expect(markup).toContain('Lane B: Must be between 0 and 2. Not sent.');
  });
});
