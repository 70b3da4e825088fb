import {
  createContext,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';

import { getScrollView } from '../workspace/scroll-view.ts';
import { createEndFollower } from './end-follower.ts';
import { createReplyAnchors } from './reply-anchors.ts';

/** Keeps a reply in view from now on. Returns a function that ends this. */
export const ScrollAnchorContext = createContext<((reply: HTMLElement | null) => () => void) | undefined>(
  undefined,
);

/**
 * Keeps what the user reads in place: the end of the conversation while it is followed, otherwise the text above it.
 * `scrollToEnd` and a larger `newestSeq` (sequence number of the newest prompt) follow the end again.
 */
export function useReadingPosition(
  scroller: RefObject<HTMLElement | null>,
  newestSeq: number,
  isFlat: boolean,
): {
  isAtEnd: boolean;
  scrollToEnd: () => void;
  observeReply: (reply: HTMLElement | null) => () => void;
} {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [replyAnchors] = useState(createReplyAnchors);
  const endFollower = useRef<ReturnType<typeof createEndFollower>>(undefined);
  const newestSeqRef = useRef(newestSeq);
  useLayoutEffect(() => {
    newestSeqRef.current = newestSeq;
  }, [newestSeq]);
  useLayoutEffect(() => replyAnchors.setFollowing(isAtEnd), [replyAnchors, isAtEnd]);

  useEffect(() => {
    const conversation = scroller.current;
    if (!conversation) return undefined;
    const scrollView = getScrollView(conversation, isFlat);
    const follower = createEndFollower(conversation, scrollView, {
      isEmpty: () => newestSeqRef.current === 0,
      onChange: setIsAtEnd,
    });
    endFollower.current = follower;
    const disconnectAnchors = replyAnchors.connect(conversation, scrollView);
    return () => {
      endFollower.current = undefined;
      follower.disconnect();
      disconnectAnchors();
    };
  }, [replyAnchors, scroller, isFlat]);

  const scrollToEnd = useCallback(() => {
    endFollower.current?.setFollowing(true);
    endFollower.current?.scrollToEnd();
  }, []);

  // A new message scrolls into view, wherever the user has scrolled to.
  const lastSeenSeq = useRef(newestSeq);
  useEffect(() => {
    const isNewer = newestSeq > lastSeenSeq.current;
    lastSeenSeq.current = newestSeq;
    if (!isNewer) return;
    endFollower.current?.setFollowing(true);
    // Deferred to the next frame, in which layout is computed in any case, so that typing is not delayed. The added
    // content may have moved the view by then, which looks like a scroll by the user.
    requestAnimationFrame(scrollToEnd);
  }, [newestSeq, scrollToEnd]);

  return { isAtEnd, scrollToEnd, observeReply: replyAnchors.observeReply };
}
