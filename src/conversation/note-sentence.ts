import { plural } from '../lib/format.ts';
import { outsideWords } from '../lib/outside-words.ts';
import type { Note } from './types.ts';

const mostDetail = 200;

/** A note in words. Details are those of others, made safe to stand in a sentence; `namesHidden`: none tells the model. */
export function noteSentence({ kind, count, detail }: Note, namesHidden = false): string {
  const more = detail ? ` (${outsideWords(detail, mostDetail)})` : '';
  switch (kind) {
    case 'not-streamed':
      return 'The gateway answered in one piece although a stream was asked for.';
    case 'unreadable-event':
      return `${plural(count, 'event')} could not be read and ${count === 1 ? 'was' : 'were'} kept raw.`;
    case 'joined-events':
      return `${plural(count, 'event')} held two chunks without a blank line between; both were used.`;
    case 'skipped-value':
      return `${plural(count, 'value')} outside the format ${count === 1 ? 'was' : 'were'} left out and kept raw${more}.`;
    case 'unlabelled-stream':
      return `The stream was not labelled as one${more}.`;
    case 'after-done':
      return 'More came after the end marker; it is kept raw and is no part of the answer.';
    case 'cut-character':
      return 'The stream ended inside a character.';
    case 'lost-after-end':
      return 'The connection broke after the answer was complete.';
    case 'unterminated-event':
      return 'The last event came without its closing blank line.';
    case 'outside-text':
      return `Words came that belong to no event of the stream${more}.`;
    case 'cut-answer':
      return 'The answer breaks off. It is kept as it came.';
    case 'changed-identity':
      return `The response changed on the way what it says of itself${namesHidden ? '' : more}.`;
    default:
      return `${String(kind)}${more}`;
  }
}
