import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Lane, Setup } from '../../conversation/session/types.ts';
import { buildRequestFields } from '../../conversation/setup/params.ts';
import { encodeShareHash } from '../../conversation/setup/share.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { CheckIcon, Copy } from '../../ui/icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface ShareDialogProps {
  lanes: readonly Lane[];
  /** Current text of the composer. */
  draft: string;
  onClose: () => void;
}

const allLanes = 'all';
/** Maximum length of a safe link; some mail and chat programs truncate or reject longer ones. */
const maxSafeLinkChars = 2000;

/** Dialog with a link to the setup of one or all lanes, and a list of what it reveals. */
export function ShareDialog({ lanes, draft, onClose }: ShareDialogProps) {
  const { router } = useAppServices();
  const announce = useAnnounce();
  const [selectedValue, setSelectedValue] = useState(allLanes);
  const [includesDraft, setIncludesDraft] = useState(false);
  const [copied, setCopied] = useState<boolean>();
  const sharedLanes = selectedValue === allLanes ? lanes : lanes.filter((lane) => lane.id === selectedValue);
  const setups = sharedLanes.map((lane) => lane.setup);
  const link = router.buildLink(encodeShareHash(includesDraft ? { setups, draft } : { setups }));

  const isLocal = isLoopback(link);

  const copy = async () => {
    const worked = await copyText(link);
    setCopied(worked);
    announce(worked ? 'Copied the link.' : 'The browser blocked copying.');
  };

  return (
    <Dialog
      title="Share setup"
      onClose={onClose}
      footer={
        <>
          {copied === false && <Remark>The browser blocked copying. Select the link and copy it.</Remark>}
          <span className="min-w-0 flex-1" />
          <Button variant="primary" onClick={() => void copy()}>
            {copied ? (
              <CheckIcon className="icon-14" aria-hidden />
            ) : (
              <Copy className="icon-14" aria-hidden />
            )}
            {copied ? 'Copied' : 'Copy link'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {lanes.length > 1 && (
          <div className="flex">
            <Segmented
              label="Share"
              value={selectedValue}
              choices={[
                { value: allLanes, label: 'All lanes' },
                ...lanes.map((lane, index) => ({ value: lane.id, label: `Lane ${getLaneLetter(index)}` })),
              ]}
              onChange={(next) => {
                setSelectedValue(next);
                setCopied(undefined);
              }}
            />
          </div>
        )}
        {draft.trim() !== '' && (
          <label className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              className="accent-ink"
              checked={includesDraft}
              onChange={(event) => {
                setIncludesDraft(event.currentTarget.checked);
                setCopied(undefined);
              }}
            />
            Include the draft message
          </label>
        )}
        {!isTooLongForField(link) && (
          <textarea
            className="block field-sizing-content max-h-36 w-full resize-none overflow-y-auto rounded-2 border border-edge bg-raised px-2.5 py-2 font-mono text-mono-12 break-all"
            aria-label="Link"
            readOnly
            rows={4}
            spellCheck={false}
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        {isLocal && (
          <Remark isWarning>
            This link works on this computer only. To show your results, share the answers as a file.
          </Remark>
        )}
        {link.length > maxSafeLinkChars && (
          <Remark isWarning>
            The link has {formatCount(link.length)} characters. Some email and chat apps cut off links this
            long. An export includes everything.
          </Remark>
        )}
        <h3 className="-mb-2 text-13 font-600">Included</h3>
        <ul className="grid list-disc gap-0.5 pl-4.5 wrap-anywhere text-ink-2">
          {sharedLanes.map((lane) => (
            <li key={lane.id}>
              {lanes.length > 1 && <b>Lane {getLaneLetter(lanes.indexOf(lane))} </b>}
              {describeSetup(lane.setup)}
            </li>
          ))}
          {includesDraft && <li>The draft message, {pluralize(draft.length, 'character')}</li>}
        </ul>
        <Remark>
          Not included: the conversation, images, the gateway and its key. Opening the link starts a new
          session with this setup on the reader's own gateway. Nothing is sent automatically.
        </Remark>
      </div>
    </Dialog>
  );
}

function Remark({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <p className={clsx('text-12 normal-nums', isWarning ? 'text-warn-ink' : 'text-ink-3')}>{children}</p>
  );
}

/** Returns true if the URL points to the local machine, which is a different machine for every recipient. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

function describeSetup({ model, system, params }: Setup): string {
  const fields = Object.entries(buildRequestFields(params)).map(([name, value]) => {
    const text = typeof value === 'string' ? value : writeExactJson(value);
    return text.length <= 40 ? `${name} ${text}` : `${name}, ${pluralize(text.length, 'character')}`;
  });
  return [
    model === '' ? 'no model' : model,
    system === '' ? 'no system prompt' : `system prompt of ${pluralize(system.split('\n').length, 'line')}`,
    ...(fields.length === 0 ? ['no parameters'] : fields),
  ].join(', ');
}
