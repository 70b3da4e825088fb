import { formatCount } from '../../lib/format.ts';
import { maxFieldChars } from '../../lib/text/field-limit.ts';
import type { NoticeStore } from '../../state/notices.ts';

/**
 * Rejects text for a single-line field, pasted or dropped, that is long enough to freeze the page, and notifies the
 * user.
 */
export function limitPasteLength(notices: NoticeStore): void {
  addEventListener(
    'beforeinput',
    (event) => {
      const length = event.data?.length ?? 0;
      if (!(event.target instanceof HTMLInputElement) || length <= maxFieldChars) return;
      event.preventDefault();
      notices.setState({
        notice: {
          severity: 'problem',
          text: `Not pasted: the text has ${formatCount(length)} characters; the limit is ${formatCount(maxFieldChars)}.`,
        },
      });
    },
    { capture: true },
  );
}
