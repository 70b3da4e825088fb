import { useEffect } from 'react';

import { useAppServices, useNotice, useSessionState } from '../../state/contexts.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { CircleAlert, X } from '../../ui/icons.tsx';
import { Toast, ToastArea } from '../../ui/overlays/toast.tsx';
import { messageField } from './playground-focus-targets.ts';
import { Undo, useIsUndoVisible } from './undo.tsx';

const briefNoticeMs = 4000;

/** The result of the last action or why it failed, and the undo bar, whichever screen they belong to. */
export function Toasts() {
  const notice = useNotice();
  const undo = useSessionState((state) => state.undo);
  return (
    <ToastArea newest={notice ?? undo}>
      <NoticeToast />
      <Undo />
    </ToastArea>
  );
}

/** Returns true while a toast is visible. */
export function useIsToastVisible(): boolean {
  const notice = useNotice();
  const isUndoVisible = useIsUndoVisible();
  return notice !== undefined || isUndoVisible;
}

function NoticeToast() {
  const { notices } = useAppServices();
  const notice = useNotice();
  const announce = useAnnounce();
  useEffect(() => {
    if (notice?.severity === 'note') announce(notice.text);
  }, [notice, announce]);
  if (!notice) return null;
  const isProblem = notice.severity === 'problem';
  const close = () => notices.setState((state) => (state.notice === notice ? { notice: undefined } : state));
  return (
    <Toast
      message={notice}
      durationMs={notice.isBrief ? briefNoticeMs : undefined}
      onEnd={close}
      tone={notice.severity}
    >
      {isProblem && <CircleAlert className="icon-14 flex-none text-err-ink" aria-hidden />}
      {/* Notes are announced by the live region, which exists before them. */}
      <p className="min-w-0 flex-1 wrap-anywhere" role={isProblem ? 'alert' : undefined}>
        {notice.text}
      </p>
      <IconButton
        size="small"
        label="Dismiss"
        className={
          isProblem ? '' : 'text-on-ink hover:bg-transparent hover:text-on-ink focus-visible:outline-on-ink'
        }
        {...getNextFocusAttributes(messageField)}
        onClick={close}
      >
        <X className="icon-14" aria-hidden />
      </IconButton>
    </Toast>
  );
}
