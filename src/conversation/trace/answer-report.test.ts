import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createTestEnvironment, createTestGatewayStatus, createTestTurn } from '../../testing/builders.ts';
import type { Run } from '../session/types.ts';
import { formatAnswerReport } from './answer-report.ts';

const errorEvent = '{"error":{"message":"g.example broke ``` here","type":"server_error"}}';

const tape: TapeEntry[] = [
  {
    at: 0,
    request: { model: 'north/one', messages: [{ role: 'user', content: 'Hi' }], stream: true },
    requestId: 'sent-1',
  },
  {
    at: 40,
    status: 200,
    headers: { 'content-type': 'text/event-stream', via: 'g.example', 'x-key': '[redacted]' },
  },
  { at: 900, data: '{"choices":[{"index":0,"delta":{"content":"He"}}]}' },
  { at: 1000, data: errorEvent },
  { at: 1200, end: 'closed' },
];

function createFailedRun(changes: Partial<Run> = {}): Run {
  const { data, runId } = createTestTurn(createTestEnvironment(), 'Hi', {
    phase: {
      name: 'failed',
      error: { source: 'gateway', kind: 'failed', message: 'g.example\nbroke', type: 'server_error' },
    },
    setup: { model: 'north/one', system: '', params: {} },
    model: 'north/one-2026',
    sentAt: Date.UTC(2026, 10, 27, 9, 5, 3, 250),
    gateway: 'default',
    gatewayId: '1f',
    requestId: 'sent-1',
    returnedRequestId: 'back-2',
    status: 200,
    firstTokenMs: 900,
    firstTextMs: 900,
    deltas: 1,
    ...changes,
  });
  const run = data.runs[runId];
  if (!run) throw new Error('The turn has no run');
  return run;
}

const gateways = [createTestGatewayStatus()];

describe('report of an answer', () => {
  const report = formatAnswerReport(createFailedRun(), tape, gateways);

  it.each([
    ['time in UTC', '- Time: 2026-11-27 09:05:03 UTC'],
    ['gateway by name', '- Gateway: default'],
    ['model', '- Model: north/one\n- Model in the response: north/one-2026'],
    ['both request IDs', '- Request ID sent: sent-1\n- Request ID returned: back-2'],
    ['status', '- Status: 200'],
    ['error on one line', '- Error type: server_error\n- Error message: default broke'],
    ['times', '- Headers: 40 ms\n- First token: 900 ms\n- End: 1.20 s'],
    ['headers', '```\ncontent-type: text/event-stream\nvia: default\nx-key: [redacted]\n```'],
    ['error event', '````\n{"error":{"message":"default broke ``` here","type":"server_error"}}\n````'],
    ['command that reads the key', '-H "Authorization: Bearer $GATEWAY_API_KEY"'],
  ])('contains the %s', (_, text) => {
    expect(report).toContain(text);
  });

  it('never contains the address of the gateway', () => {
    expect(report).not.toContain('g.example');
  });

  it('contains what the run has if there is no recording', () => {
    const run = createFailedRun({
      phase: {
        name: 'failed',
        error: { source: 'proxy', kind: 'unreachable', message: 'No', raw: 'raw text' },
      },
    });
    const text = formatAnswerReport(run, [], gateways);
    expect(text).toContain('- Status: 200');
    expect(text).toContain('### Error as received\n\n```\nraw text\n```');
    expect(text).not.toContain('### Request');
  });
});
