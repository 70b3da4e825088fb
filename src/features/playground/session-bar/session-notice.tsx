import { usePlayground, useNotice } from '../../../state/react.tsx';
import { NoticeStrip } from '../../../ui/overlays/notice-strip.tsx';

/** What was just done with this session, or where it came from. */
export function SessionNotice() {
  const { notices } = usePlayground();
  const notice = useNotice();
  if (!notice) return null;
  return <NoticeStrip {...notice} onClose={() => notices.setState({ notice: undefined })} />;
}
