/** The errors of the check: what the gateway says where the specification tells what it must say. §5, §7 */
import type { CheckAnswer, CheckCalls, CheckRow } from './conformance-check-call.ts';
import { errorShape } from './conformance-whole.ts';

const about = 'Errors';

/** `model`: of a chat that would be answered, were the key right. */
export async function errorRows({ call }: CheckCalls, model: string): Promise<CheckRow[]> {
  const chat = (name: string) =>
    JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 1 });
  const wrongKey = 'fk-bench-conformance-not-a-key';
  return [
    keyRow('No key', await call('/v1/models', { key: undefined })),
    keyRow('A wrong key', await call('/v1/chat/completions', { key: wrongKey, body: chat(model) })),
    brokenRow(await call('/v1/chat/completions', { body: '{"model": ' })),
    unknownModelRow(await call('/v1/chat/completions', { body: chat('bench/no-such-model') })),
  ];
}

function keyRow(title: string, answer: CheckAnswer): CheckRow {
  if (answer.status < 400) {
    const detail = `Answered with status ${answer.status}, although every request must have a valid key.`;
    return { about, title, section: '§5.1', verdict: 'fault', detail };
  }
  // §5.4 names type and code; the HTTP status is not shown.
  const shape = errorShape(answer.text, answer.value, 401);
  const status = answer.status === 401 ? '' : ` The HTTP status is ${answer.status}.`;
  return { about, title, ...shape, detail: `${shape.detail}${status}` };
}

/** No provider can have been asked: the error is the gateway's own. */
function brokenRow(answer: CheckAnswer): CheckRow {
  const title = 'A body that is not JSON';
  if (answer.status < 400) {
    return {
      about,
      title,
      section: '§4',
      verdict: 'fault',
      detail: `Answered with status ${answer.status}.`,
    };
  }
  const shape = errorShape(answer.text, answer.value, answer.status, true);
  return { about, title, ...shape, detail: `Status ${answer.status}. ${shape.detail}` };
}

function unknownModelRow(answer: CheckAnswer): CheckRow {
  const title = 'A model that does not exist';
  if (answer.status < 400) {
    const detail = `Answered with status ${answer.status}, as if the model existed.`;
    return { about, title, section: '§2.1', verdict: 'seen', detail };
  }
  const shape = errorShape(answer.text, answer.value, answer.status, false);
  return { about, title, ...shape, detail: `Status ${answer.status}. ${shape.detail}` };
}
