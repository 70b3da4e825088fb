import { pluralize } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { Note } from '../session/types.ts';

const maxDetailChars = 200;

/**
 * Describes a note in a sentence. Details come from outside and are sanitized; `namesHidden` omits details that reveal
 * the model.
 */
export function describeNote({ kind, count, detail }: Note, namesHidden = false): string {
  const detailSuffix = detail ? ` (${sanitizeForSentence(detail, maxDetailChars)})` : '';
  switch (kind) {
    case 'not-streamed':
      return 'The gateway did not stream although streaming was requested.';
    case 'unreadable-event':
      return `${pluralize(count, 'event')} could not be read. The raw data was kept.`;
    case 'joined-events':
      return `${pluralize(count, 'event')} contained two chunks without a blank line between them. Both were used.`;
    case 'skipped-value':
      return `Ignored ${pluralize(count, 'value')} not in the API description${detailSuffix}. The raw data was kept.`;
    case 'unlabelled-stream':
      return `The stream has the wrong content type${detailSuffix}.`;
    case 'after-done':
      return 'Ignored data after the end marker. The raw data was kept.';
    case 'cut-character':
      return 'The stream ended in the middle of a character.';
    case 'lost-after-end':
      return 'The connection was lost after the answer was complete.';
    case 'unterminated-event':
      return 'The last event did not end with a blank line.';
    case 'outside-text':
      return `The stream contained text outside any event${detailSuffix}.`;
    case 'cut-answer':
      return 'The answer was cut off. The received part was kept.';
    case 'changed-identity':
      return `The ID or model changed during the response${namesHidden ? '' : detailSuffix}.`;
    default:
      return `${String(kind)}${detailSuffix}`;
  }
}
