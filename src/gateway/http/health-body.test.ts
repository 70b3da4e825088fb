import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readHealthBody } from './health-body.ts';

const readVerdict = (value: unknown) => readHealthBody(JSON.stringify(value)).verdict;

describe('readHealthBody', () => {
  it.each<[string, unknown, string, string?]>([
    [
      'a list of unhealthy endpoints',
      { healthy_endpoints: [1, 2], unhealthy_endpoints: [3] },
      'degraded',
      '1 ',
    ],
    [
      'a count beside its list',
      { healthy_count: 1, unhealthy_count: 2, unhealthy_endpoints: [1, 2] },
      'degraded',
    ],
    ['no healthy endpoints', { healthy_endpoints: [], unhealthy_endpoints: [{}] }, 'failed', '1 '],
    [
      'no unhealthy endpoints',
      { healthy_endpoints: [{}], unhealthy_endpoints: [], unhealthy_count: 0 },
      'ok',
    ],
    [
      'a failed component',
      { status: 'ok', checks: { db: { status: 'down' }, a: { status: 'up' } } },
      'degraded',
    ],
    [
      'upstreams with their states',
      { upstreams: [{ name: 'a', state: 'unhealthy' }, { state: 'up' }] },
      'degraded',
    ],
    ['a loading model', { status: 'loading model' }, 'degraded', 'loading model'],
    [
      'an error about a loading model',
      { error: { code: 503, message: 'Loading model' } },
      'degraded',
      'Loading model',
    ],
    ['the word failed in an unrelated message', { status: 'ok', message: 'nothing failed' }, 'ok'],
    ['counts of failures', { status: 'ok', failed_requests: 12, downloads: 3 }, 'ok'],
  ])('reads the health from a body with %s', (_what, value, verdict, expectedDetail = '') => {
    const report = readHealthBody(JSON.stringify(value));
    expect(report.verdict).toBe(verdict);
    expect(report.detail ?? '').toContain(expectedDetail);
  });

  it('counts unhealthy endpoints by field name at any depth', () => {
    const name = fc.constantFrom('endpoints', 'models', 'Deployments', 'count');
    const otherFields = fc.dictionary(
      fc.stringMatching(/^[a-g]{1,4}$/),
      fc.oneof(fc.nat(), fc.constant('ok')),
    );
    fc.assert(
      fc.property(
        name,
        fc.nat({ max: 5 }),
        otherFields,
        fc.boolean(),
        (noun, unhealthyCount, otherValues, isInner) => {
          const list = noun === 'count' ? unhealthyCount : Array.from({ length: unhealthyCount }, () => ({}));
          const fields = {
            ...otherValues,
            [`unhealthy_${noun}`]: list,
            [`healthy_${noun}`]: noun === 'count' ? 1 : [{}],
          };
          expect(readVerdict(isInner ? { status: 'ok', result: fields } : fields)).toBe(
            unhealthyCount === 0 ? 'ok' : 'degraded',
          );
        },
      ),
    );
  });

  it('parses any JSON as a health body without throwing', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(['ok', 'degraded', 'failed']).toContain(readHealthBody(text).verdict);
      }),
    );
  });
});
