import { formatCount } from '../../lib/format.ts';
import { maxFieldChars } from '../../lib/text/field-limit.ts';
import type { NoticeStore } from '../../state/notices.ts';

/** Rejects pasted or dropped text that would freeze the page in a single-line field, and notifies the user. */
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
