import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Lane, Setup } from '../../conversation/session/types.ts';
import { findVariables } from '../../conversation/session/variables.ts';
import { buildRequestFields } from '../../conversation/setup/params.ts';
import { encodeShareHash } from '../../conversation/setup/share.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, formatList, pluralize } from '../../lib/format.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckboxField } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { Copy } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface ShareDialogProps {
  lanes: readonly Lane[];
  /** Current text of the composer. */
  draft: string;
  /** Values of the session's variables. */
  variables?: Readonly<Record<string, string>> | undefined;
  onClose: () => void;
}

const noVariables: Readonly<Record<string, string>> = {};

const allLanes = 'all';
/** Maximum length of a safe link; some mail and chat programs truncate or reject longer ones. */
const maxSafeLinkChars = 2000;

/** Dialog with a link to the setup of one or all lanes, and a list of what it reveals. */
export function ShareDialog({ lanes, draft, variables = noVariables, onClose }: ShareDialogProps) {
  const { router } = useAppServices();
  const announce = useAnnounce();
  const [selectedValue, setSelectedValue] = useState(allLanes);
  const [includesDraft, setIncludesDraft] = useState(false);
  const [includesValues, setIncludesValues] = useState(true);
  const [copied, setCopied] = useState<boolean>();
  const sharedLanes = selectedValue === allLanes ? lanes : lanes.filter((lane) => lane.id === selectedValue);
  const setups = sharedLanes.map((lane) => lane.setup);
  const usedVariables = pickUsedVariables(
    [...setups.map(({ system }) => system), ...(includesDraft ? [draft] : [])],
    variables,
  );
  const variableNames = Object.keys(usedVariables);
  const sharedVariables = includesValues ? usedVariables : {};
  const link = router.buildLink(
    encodeShareHash({ setups, variables: sharedVariables, ...(includesDraft ? { draft } : {}) }),
  );

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
          <CheckboxField
            label="Include the draft message"
            checked={includesDraft}
            onChange={(isChecked) => {
              setIncludesDraft(isChecked);
              setCopied(undefined);
            }}
          />
        )}
        {variableNames.length > 0 && (
          <CheckboxField
            label={`Include the ${variableNames.length === 1 ? 'value' : 'values'} of ${formatList(variableNames.map(formatVariable))}`}
            checked={includesValues}
            onChange={(isChecked) => {
              setIncludesValues(isChecked);
              setCopied(undefined);
            }}
          />
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
          {Object.entries(sharedVariables).map(([name, value]) => (
            <li key={name}>{describeText(formatVariable(name), value)}</li>
          ))}
        </ul>
        <Remark>
          Only the setup is shared, never the conversation, the images, the gateway or its key. Opening the
          link starts a new session with this setup on the reader's own gateway. Nothing is sent
          automatically.
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
    return describeText(name, text);
  });
  return [
    model === '' ? 'no model' : model,
    system === '' ? 'no system prompt' : `system prompt of ${pluralize(system.split('\n').length, 'line')}`,
    ...(fields.length === 0 ? ['no parameters'] : fields),
  ].join(', ');
}

/** Returns the name with its text, or with the length of a long text. */
function describeText(name: string, text: string): string {
  return text.length <= 40 ? `${name} ${text}` : `${name}, ${pluralize(text.length, 'character')}`;
}

function formatVariable(name: string): string {
  return `{{${name}}}`;
}

function pickUsedVariables(
  texts: readonly string[],
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = findVariables(texts).flatMap((name) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
