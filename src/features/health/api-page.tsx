import { findApiSection } from '../../conversation/conformance/api-sections.ts';
import page from '../../documentation/gateway-api.md?raw';
import { Markdown } from '../../markdown/draw/markdown.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Dialog with one section of the bundled API page. */
export function ApiPage({ section, onClose }: { section: string; onClose: () => void }) {
  return (
    <Dialog
      title="The gateway API"
      note={<span className="text-12 text-ink-3">{section} of the API that Bench is made for</span>}
      onClose={onClose}
    >
      <Markdown text={findApiSection(page, section)} isLive={false} />
    </Dialog>
  );
}
