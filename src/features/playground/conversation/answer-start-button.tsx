import { ArrowUp } from '../../../ui/icons.tsx';
import { scrollToReplyStart } from './use-scroll-anchor.ts';

/** Button at the top of a reply whose start is above the visible part. */
export function AnswerStartButton({ letter }: { letter: string }) {
  return (
    <div className="above">
      <button
        type="button"
        aria-label={`Start of lane ${letter}'s answer`}
        onClick={({ currentTarget }) => {
          const reply = currentTarget.closest('article');
          if (reply) scrollToReplyStart(reply);
        }}
      >
        <ArrowUp className="icon-14" aria-hidden />
        Start of the answer
      </button>
    </div>
  );
}
