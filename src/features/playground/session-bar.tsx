import { ChevronDown, PanelRight, Plus } from 'lucide-react';
import { useState } from 'react';
import { pathOf } from '../../conversation/tree.ts';
import { usePlayground, usePrefs, useSession } from '../../state/react.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sessionMenuItems } from './session-menu-items.ts';

/** Title and menu of the session, where one is in it, and what can be added. */
export function SessionBar() {
  const { actions, prefs, library, router } = usePlayground();
  const title = useSession((data) => data.session.title) ?? '';
  const sessionId = useSession((data) => data.session.id) ?? '';
  const turns = useSession((data) => {
    const lane = data.lanes[data.session.laneIds[0] ?? ''];
    return lane ? pathOf(data, lane).length : 0;
  });
  const parametersOpen = usePrefs((state) => state.parametersOpen);
  const [renaming, setRenaming] = useState(false);

  return (
    <div className="bar">
      {renaming ?
        <TitleField
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next !== undefined) actions.renameSession(next);
          }}
        />
      : <h1>
          <Menu
            label="Session menu"
            placement="start"
            className="session-title"
            items={sessionMenuItems({ actions, library, router, sessionId, onRename: () => setRenaming(true) })}
          >
            <span className="words" dir="auto">
              {title}
            </span>
            <ChevronDown className="i s" aria-hidden />
          </Menu>
        </h1>
      }
      <span className="meta">{turns ? `Turn ${turns}` : 'Nothing said yet'}</span>
      <span className="grow" />
      <Button look="quiet" onClick={() => void actions.createSession()}>
        <Plus className="i s" aria-hidden />
        New session
      </Button>
      {!parametersOpen && (
        <IconButton
          label="Show parameters"
          shortcut="Ctrl \"
          onClick={() => prefs.setState({ parametersOpen: true })}
        >
          <PanelRight className="i" aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

function TitleField({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title);
  const finish = () => onDone(text.trim() === '' ? undefined : text.trim());
  return (
    <input
      className="field title-field"
      aria-label="Session title"
      value={text}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    />
  );
}
