import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { refusalRows, refusedBody } from '../__fixtures__/refusal-rows.ts';
import { buildErrorReport } from './error-report.ts';
import { readFieldRefusals } from './field-refusal.ts';

const readRefusals = (body: unknown, status = 400, sentBody: unknown = refusedBody) =>
  readFieldRefusals(
    buildErrorReport({
      status,
      isProxied: true,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    sentBody,
  );

describe('readFieldRefusals', () => {
  it.each(refusalRows.map((row) => [row.name, row] as const))(
    'finds exactly the rejected fields: %s',
    (_, { body, status, refusals }) => {
      expect(readRefusals(body, status)).toEqual(refusals);
    },
  );

  it('finds a rejected field in any wording and nesting, and no other field', () => {
    const wordings = [
      (field: string) => `Unsupported parameter: '${field}'.`,
      (field: string) => `Unrecognized request argument supplied: ${field}`,
      (field: string) => `Unknown field "${field}"`,
      (field: string) => `The parameter \`${field}\` is not supported by this model`,
      (field: string) => `${field} is not a valid parameter`,
      (field: string) => `This endpoint does not accept '${field}'.`,
      (field: string) => `'${field}' is not permitted. Allowed fields: 'temperature', 'stop'.`,
    ];
    const nestings: ((message: string) => unknown)[] = [
      (message) => ({ error: { message } }),
      (message) => [{ error: { message, status: 'INVALID_ARGUMENT' } }],
      (message) => ({ detail: message }),
      (message) => ({ detail: { error: { message } } }),
      (message) => ({ message: `Upstream said: ${JSON.stringify({ error: { message } })}` }),
      (message) => ({
        error: { message: 'Provider returned error', metadata: { raw: JSON.stringify({ message }) } },
      }),
      (message) => message,
    ];
    const fieldName = fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/);
    fc.assert(
      fc.property(
        fieldName,
        fc.uniqueArray(fieldName, { maxLength: 4 }),
        fc.constantFrom(...wordings),
        fc.constantFrom(...nestings),
        fc.constantFrom(400, 422, 404),
        (field, otherFields, wording, nesting, status) => {
          const sentBody = Object.fromEntries(
            [...otherFields, 'temperature', 'stop', field].map((name) => [name, 1]),
          );
          expect(readRefusals(nesting(wording(field)), status, sentBody)).toEqual([
            { field, in: 'request', kind: 'unsupported' },
          ]);
        },
      ),
      { seed: 38 },
    );
  });

  it('never throws and names only fields that were sent or are required', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (body, sentBody) => {
        const unsentRefusals = readRefusals(body, 400, sentBody).filter(
          ({ kind, field }) =>
            kind !== 'missing' && !JSON.stringify(sentBody).includes(JSON.stringify(field)),
        );
        expect(unsentRefusals).toEqual([]);
      }),
      { seed: 38 },
    );
  });
});
