/**
 * Tests what the command field finds besides commands: messages of the session, models for new lanes, and values for
 * several lanes.
 */
import { expect, it } from 'vitest';

import { parseValues } from '../conversation/setup/palette-settings.ts';
import { buildLaneOptions } from '../features/palette/palette-model-options.ts';
import { buildValuesOption, type LaneTools } from '../features/palette/setting-options.ts';
import { buildMessageOptions } from '../features/palette/use-palette-options.ts';
import { sendAndWait, createConversation } from '../testing/conversation-driver.ts';

it('finds a message of the session by its text and opens Find at it', async () => {
  const { bench } = await createConversation();
  await sendAndWait(bench, 'The refund period');
  await sendAndWait(bench, 'Something else');
  const [option] = buildMessageOptions(bench.getOpenSession(), 'REFUND per', bench.find);
  expect(option).toMatchObject({ label: 'The refund period', note: 'turn 1, your message' });
  await option?.run();
  expect(bench.find.getState()).toMatchObject({
    sessionId: bench.getOpenSession().session.id,
    query: 'REFUND per',
    isFromHistory: false,
  });
});

it('parses a list of values as one lane per value, and a number with a comma as one value', () => {
  const parseTexts = (typed: string) => parseValues(typed)?.texts;
  expect(parseTexts('temp 0.2, 0.7, 1.4')).toEqual(['0.2', '0.7', '1.4']);
  expect(parseTexts('max 100, 200 and 300')).toEqual(['100', '200', '300']);
  expect(parseTexts('max 1,000')).toBeUndefined();
  expect(parseTexts('temp 0.2')).toBeUndefined();
  const parsedValues = parseValues('temp 0.2, 9');
  const tools: LaneTools = {
    lanes: [{ id: 'a', sessionId: 's', setup: { model: 'm', system: '', params: {} } }],
    namesHidden: false,
    getModelKey: ({ model }) => model,
    changeSetups: () => undefined,
    addLaneWith: () => undefined,
    showParameter: () => undefined,
  };
  expect(parsedValues && buildValuesOption(parsedValues, tools)[0]?.disabledReason).toContain(
    'Must be between 0 and 2',
  );
  const validValues = parseValues('temp 0.2, 0.7, 1.4');
  expect(validValues && buildValuesOption(validValues, tools)[0]?.label).toBe(
    'Compare 3 lanes: temperature 0.2, 0.7 and 1.4',
  );
  expect(buildLaneOptions([], 'add lane @my/own', [], tools)[0]?.label).toBe('Add lane B with my/own');
});
