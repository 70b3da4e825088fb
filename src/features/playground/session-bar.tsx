import { Ellipsis, Eye, EyeOff, PanelRight, Plus, SquarePen, type LucideIcon } from 'lucide-react';
import { useState } from 'react';

import { mostLanes } from '../../conversation/lanes.ts';
import { pathOf } from '../../conversation/tree.ts';
import { useInspector, usePlayground, useSession, useView } from '../../state/react.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { lazyView } from '../../ui/lazy-view.tsx';
import { InspectControls } from './inspector/inspect-controls.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionNotice } from './session-notice.tsx';
import { TextDifference } from './text-difference.tsx';
import { useParametersOpen } from './use-parameters-open.ts';
import { useShareDialog } from './use-share-dialog.tsx';

const TitleField = lazyView(async () => (await import('./title-field.tsx')).TitleField);

/** Title and menu of the session, where one is in it, and what can be added. */
export function SessionBar() {
  const { actions, view } = usePlayground();
  const title = useSession((data) => data.session.title) ?? '';
  const sessionId = useSession((data) => data.session.id) ?? '';
  const turns = useSession((data) => {
    const lane = data.lanes[data.session.laneIds[0] ?? ''];
    return lane ? pathOf(data, lane).length : 0;
  });
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  const namesHidden = useView((state) => state.namesHidden);
  const [parametersOpen, setParametersOpen] = useParametersOpen();
  const inspecting = useInspector((state) => state.open);
  const [renaming, setRenaming] = useState(false);
  const share = useShareDialog(sessionId);

  return (
    <>
      <div className="bar">
        {renaming ? (
          <TitleField
            title={title}
            onDone={(next) => {
              setRenaming(false);
              if (next !== undefined) void actions.renameSession(next);
            }}
          />
        ) : (
          <h1>
            <SessionMenu
              sessionId={sessionId}
              title={title}
              onRename={() => setRenaming(true)}
              onShare={share.open}
            />
          </h1>
        )}
        <span className="meta">{turns ? `Turn ${turns}` : 'Nothing said yet'}</span>
        <span className="grow" />
        <button
          type="button"
          className="ib bar-more"
          aria-label="Session tools"
          popoverTarget="session-tools"
        >
          <Ellipsis className="i l" aria-hidden />
        </button>
        {/* A menu on phones, a plain row elsewhere, as the workspaces in the top bar. */}
        <div
          id="session-tools"
          popover="auto"
          className="bar-acts"
          onClick={(event) => event.currentTarget.hidePopover()}
        >
          <BarButton icon={SquarePen} label="New session" onClick={() => void actions.createSession()} />
          <BarButton
            icon={Plus}
            label="Add lane"
            onClick={() => actions.addLane()}
            disabledBecause={laneCount < mostLanes ? undefined : `${mostLanes} lanes are the most`}
          />
          {laneCount > 1 && (
            <BarButton
              icon={namesHidden ? Eye : EyeOff}
              label={namesHidden ? 'Show names' : 'Hide names'}
              onClick={() => view.setState({ namesHidden: !namesHidden })}
            />
          )}
          {laneCount > 1 && <TextDifference />}
          <InspectControls />
          {!parametersOpen && !inspecting && (
            <IconButton
              label="Show parameters"
              data-harmless
              shortcut="Ctrl \"
              data-opens-parameters
              data-focus-next=".side .hide"
              onClick={() => setParametersOpen(true)}
            >
              <PanelRight className="i" aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <SessionNotice />
      {share.dialog}
    </>
  );
}

interface BarButtonProps {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
  /** It stays in its place, where the focus may be. */
  disabledBecause?: string | undefined;
}

function BarButton({ icon: Icon, label, onClick, disabledBecause }: BarButtonProps) {
  return (
    <Button
      look="quiet"
      aria-label={label}
      title={disabledBecause ?? label}
      aria-disabled={disabledBecause !== undefined}
      onClick={() => disabledBecause === undefined && onClick()}
    >
      <Icon className="i s" aria-hidden />
      <span className="words">{label}</span>
    </Button>
  );
}
