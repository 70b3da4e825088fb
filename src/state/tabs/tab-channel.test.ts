import { expect, it } from 'vitest';

import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { Write } from '../../storage/record-store.ts';
import { createTestBrowser } from '../../testing/browser.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestTurn,
  getFirstLane,
} from '../../testing/builders.ts';
import { createCases } from '../../testing/open-trials.ts';
import { createTestTrial } from '../../testing/trials.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { buildSessionWrites } from '../sessions/autosave.ts';
import { createTabChannel, broadcastWrites, type TabMessage } from './tab-channel.ts';

/** Returns the tab channels of two tabs, and a raw channel that can send anything. */
function openTwoTabs() {
  const browser = createTestBrowser();
  const openTab = () => browser.openTab({ origin: 'http://bench.test' }).page.openChannel;
  const [tabChannel, otherTabChannel] = [createTabChannel(openTab()), createTabChannel(openTab())];
  const receivedMessages: TabMessage[] = [];
  otherTabChannel.onMessage((message) => receivedMessages.push(message));
  const rawChannel = openTab()('bench-changes');
  return {
    tabChannel,
    receivedMessages,
    postRaw: (message: unknown) => rawChannel?.post(message),
    close: otherTabChannel.close,
  };
}

it('sends the store, key and session of each written record to other tabs', async () => {
  const { tabChannel, receivedMessages } = openTwoTabs();
  const records = broadcastWrites(createMemoryRecordStore(), tabChannel);
  const environment = createTestEnvironment();
  const { data, turnId, runId } = createTestTurn(environment, 'One', createTextChoices('1'));
  const sessionId = data.session.id;
  await records.write(buildSessionWrites(data));
  const [promptId] = Object.keys(data.prompts);
  await waitUntil(() => receivedMessages.length === 1);
  expect(receivedMessages[0]).toEqual({
    changes: [
      { store: 'sessions', key: sessionId, sessionId },
      { store: 'lanes', key: getFirstLane(data).id, sessionId },
      { store: 'prompts', key: promptId, sessionId },
      { store: 'turns', key: turnId, sessionId },
      { store: 'runs', key: runId, sessionId },
    ],
  });

  const key = { caseId: '1', columnId: 'a', repeat: 1 };
  const otherWrites: Write[] = [
    { store: 'tapes', put: { runId: 'r', firstSeq: 0, entries: [] } },
    { store: 'drafts', put: { sessionId: 's' } },
    { store: 'images', put: { hash: 'h', blob: new Blob([]) } },
    { store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } },
    { store: 'learned', put: { id: 'm' } },
    { store: 'trials', put: createTestTrial(1, { id: 't' }) },
    { store: 'cases', put: { trialId: 't', block: 0, cases: createCases(1) } },
    { store: 'cells', put: { trialId: 't', block: 0, columnId: 'a', cells: [] } },
    { store: 'marks', put: { trialId: 't', key, mark: 'right', at: 1 } },
    { store: 'ballots', put: { id: 'b', trialId: 't' } },
    { store: 'sessions', change: { id: sessionId, title: 'Renamed' } },
    { store: 'trials', change: { id: 't', title: 'Renamed' } },
    { store: 'marks', unmark: { trialId: 't', ...key } },
    { store: 'runs', remove: runId },
  ];
  await records.write(otherWrites);
  await records.write([]);
  tabChannel.send({ stop: 'r' });
  await waitUntil(() => receivedMessages.length > 1 && 'stop' in (receivedMessages.at(-1) ?? {}));
  expect(receivedMessages).toHaveLength(3);
  expect(receivedMessages[1]).toEqual({
    changes: [
      { store: 'tapes', key: 'r' },
      { store: 'drafts', key: 's' },
      { store: 'images', key: 'h' },
      { store: 'presets', key: 'p' },
      { store: 'learned', key: 'm' },
      { store: 'trials', key: 't' },
      { store: 'cases', key: 't' },
      { store: 'cells', key: 't' },
      { store: 'marks', key: 't' },
      { store: 'ballots', key: 'b' },
      { store: 'sessions', key: sessionId, sessionId },
      { store: 'trials', key: 't' },
      { store: 'marks', key: 't' },
      { store: 'runs', key: runId },
    ],
  });
});

it('receives only valid messages from this version, and none after the channel was closed', async () => {
  const { receivedMessages, postRaw, close } = openTwoTabs();
  const invalidMessages = [
    null,
    'x',
    {},
    { stop: 7 },
    { asks: 'anything' },
    { alive: 'r' },
    { changes: 'all' },
  ];
  for (const message of invalidMessages) postRaw(message);
  postRaw({ alive: ['r', 7] });
  postRaw({ asks: 'who is alive' });
  postRaw({ asks: 'stop trials' });
  postRaw({
    changes: [
      { store: 'keys', key: 'x' },
      { store: 'runs' },
      { store: 'runs', key: 'r' },
      { store: 'runs', key: 'r', sessionId: 's' },
    ],
  });
  postRaw({ stop: 'r' });
  await waitUntil(() => receivedMessages.length > 0 && 'stop' in (receivedMessages.at(-1) ?? {}));
  expect(receivedMessages).toEqual([
    { alive: ['r'] },
    { asks: 'who is alive' },
    { asks: 'stop trials' },
    {
      changes: [
        { store: 'runs', key: 'r' },
        { store: 'runs', key: 'r', sessionId: 's' },
      ],
    },
    { stop: 'r' },
  ]);
  close();
  postRaw({ stop: 'again' });
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
  expect(receivedMessages).toHaveLength(5);
});

it('sends and receives nothing without BroadcastChannel', () => {
  const { page } = createTestBrowser({ hasChannels: false }).openTab({ origin: 'http://bench.test' });
  const tabChannel = createTabChannel(page.openChannel);
  expect(() => {
    tabChannel.onMessage(() => undefined);
    tabChannel.send({ stop: 'r' });
    tabChannel.close();
  }).not.toThrow();
});
