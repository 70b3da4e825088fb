import { ArrowUp } from '../../ui/late-icons.tsx';

/** Button at the top of a reply whose start is above the visible part. */
export function AnswerStartButton({ letter }: { letter: string }) {
  return (
    <div className="pointer-events-none sticky top-(--view-top) z-1 -mx-4 hidden h-0 phone:group-data-clipped/reply:block print:hidden">
      <i
        className="absolute inset-x-0 top-0 h-10 bg-[linear-gradient(var(--paper)_55%,transparent)]"
        aria-hidden
      />
      <button
        type="button"
        className="pointer-events-auto absolute top-1.5 left-2.5 inline-flex h-6 items-center gap-1.25 rounded-2 pr-2 pl-1.5 text-12 text-ink-3 hover:bg-hover hover:text-ink"
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

/** Scrolls to the start of this turn and focuses the reply. */
function scrollToReplyStart(reply: HTMLElement): void {
  reply.parentElement?.scrollIntoView({ block: 'start' });
  // The button disappears, so the focus moves to the reply for keyboard users.
  reply.tabIndex = -1;
  reply.focus({ preventScroll: true });
}
