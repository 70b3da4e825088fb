import { clsx } from 'clsx';
import { flushSync } from 'react-dom';

import type {
  SchemaFault,
  SchemaFieldStatus,
  SchemaReport,
} from '../../../conversation/reply/json-check-schema.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { createPreloadableImport } from '../../../lib/lazy-import.ts';
import { useSessionShallow, useSessionServices, useAppServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import type { FocusTarget } from '../../../ui/focus/focus-target.ts';
import { CircleDashed, RotateCw, TriangleAlert, X } from '../../../ui/icons.tsx';
import { messageField } from '../../workspace/playground-focus-targets.ts';

interface SchemaFaultsProps {
  report: SchemaReport;
  laneId: LaneId;
  /** Returns the focus target of a line of the reply. */
  getLineTarget: (line: number) => FocusTarget;
  /** Shows the lines if another view is active. */
  onShow: () => void;
}

/** Number of matching fields and all faults of a reply, each linked to its line. */
export function SchemaFaults({ report, laneId, getLineTarget, onShow }: SchemaFaultsProps) {
  const { state, fields, fitCount, faults } = report;
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const letter = getLaneLetter(laneIds.indexOf(laneId));
  if (state === 'unusable')
    return <p className="mb-2 text-12 text-ink-2">The schema cannot be used: {report.reason}</p>;
  return (
    <div className="mb-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p
          className={clsx(
            'flex-1 text-13 font-600',
            { fits: 'text-ok-ink', fails: 'text-err-ink', 'so far': 'text-ink-2' }[state],
          )}
        >
          {state === 'so far' ? `${fitCount} so far` : `${fitCount} of ${fields.length} fields fit`}
        </p>
        <span className="flex flex-wrap gap-1" aria-hidden>
          {fields.slice(0, maxMarks).map((field) => (
            <span
              key={field.name}
              title={`${field.name}: ${stateLabels[field.state]}`}
              className={clsx(
                'h-1.5 w-4 rounded-1',
                {
                  fits: 'bg-ok',
                  wrong: 'bg-err',
                  missing: 'border border-err',
                  open: 'border border-edge',
                }[field.state],
              )}
            />
          ))}
        </span>
      </div>
      {faults.length > 0 && (
        <ul aria-label={`Faults, lane ${letter}`} className="mt-2 border-t border-line-2">
          {faults.map((fault, index) => (
            <FaultRow key={index} fault={fault} focusTarget={getLineTarget(fault.line)} onShow={onShow} />
          ))}
        </ul>
      )}
      {faults.length > 0 && <AskAgainButton faults={faults} laneId={laneId} />}
    </div>
  );
}

const maxMarks = 40;
const stateLabels: Record<SchemaFieldStatus['state'], string> = {
  fits: 'fits',
  wrong: 'wrong',
  missing: 'missing',
  open: 'not received yet',
};

const icons = { missing: CircleDashed, wrong: X, unexpected: X, wrapped: TriangleAlert };

function FaultRow({
  fault: { kind, message, line },
  focusTarget,
  onShow,
}: {
  fault: SchemaFault;
  focusTarget: FocusTarget;
  onShow: () => void;
}) {
  const Icon = icons[kind];
  return (
    <li className="border-b border-line-2">
      <a
        href={`#line-${line}`}
        className="flex min-h-7 items-center gap-2 py-1 text-13 text-ink hover:bg-hover"
        onClick={(event) => {
          event.preventDefault();
          flushSync(onShow);
          focusTarget.focus();
        }}
      >
        <Icon className={`icon-14 ${kind === 'wrapped' ? 'text-warn-ink' : 'text-err-ink'}`} aria-hidden />
        <span className="flex-1 wrap-anywhere">{message}</span>
        <span className="text-12 whitespace-nowrap text-ink-3 underline decoration-line-2 underline-offset-3">
          {kind === 'missing' ? 'required' : `line ${line}`}
        </span>
      </a>
    </li>
  );
}

const loadChecker = createPreloadableImport(() => import('../../../conversation/reply/json-check-schema.ts'));

/** Button that writes the faults into the composer for this lane only. The user decides whether to send them. */
function AskAgainButton({ faults, laneId }: { faults: readonly SchemaFault[]; laneId: LaneId }) {
  const { drafts, session, view } = useSessionServices();
  const { notices } = useAppServices();
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const announce = useAnnounce();
  const writeMessage = async () => {
    const { buildFaultsMessage } = await loadChecker();
    const sessionId = session.getState().currentId;
    if (sessionId === undefined) return;
    const message = buildFaultsMessage(faults);
    drafts.change(sessionId, (draft) => ({
      ...draft,
      text: draft.text.trim() === '' ? message : `${draft.text.trimEnd()}\n\n${message}`,
    }));
    view.setState({ notTo: laneIds.filter((id) => id !== laneId) });
    messageField.focus();
    const targetText =
      laneIds.length > 1 ? ` It goes to lane ${getLaneLetter(laneIds.indexOf(laneId))} only.` : '';
    announce(`The message is ready but not sent.${targetText}`);
  };
  return (
    <Button
      size="small"
      className="mt-2"
      title="Writes the message for you to check and send"
      onClick={() => reportFailure(notices, writeMessage())}
    >
      <RotateCw className="icon-14" aria-hidden />
      Ask again with these faults
    </Button>
  );
}
