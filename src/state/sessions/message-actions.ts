/** Manual edits of a conversation: answers, messages of any role, names, values and marks. */
import { addMessage, addManualReply } from '../../conversation/request/manual-messages.ts';
import {
  changeTurn,
  summarizeForHistory,
  type Environment,
} from '../../conversation/session/edit-session.ts';
import type { LaneId, SessionData, Turn, TurnId } from '../../conversation/session/types.ts';
import type { Message } from '../../gateway/wire.ts';
import { updateCurrentSession, type SessionStore } from './session-store.ts';

export type Remark = NonNullable<Turn['remark']>;

export type MessageActions = ReturnType<typeof createMessageActions>;

export function createMessageActions(store: SessionStore, environment: Environment) {
  const updateCurrent = (edit: (data: SessionData) => SessionData) => updateCurrentSession(store, edit);
  /** Also updates time and summary, so that the history lists the change. */
  const updateConversation = (edit: (data: SessionData) => SessionData) =>
    updateCurrent((data) => {
      const next = edit(data);
      return {
        ...next,
        session: { ...next.session, updatedAt: environment.now(), summary: summarizeForHistory(next) },
      };
    });

  return {
    /** Adds a version of this answer with the given text. */
    writeReply: (turnId: TurnId, message: Message): void =>
      updateConversation((data) => addManualReply(data, environment, turnId, message)),

    /** Appends a message of any role to these lanes without sending it. */
    addMessage: (message: Message, laneIds: readonly LaneId[]): void =>
      updateConversation((data) => addMessage(data, environment, laneIds, message)),

    /** Sets the mark, the note or both; undefined values are removed. */
    setRemark: (
      turnId: TurnId,
      { mark, text }: { mark?: Remark['mark'] | undefined; text?: string | undefined },
    ): void =>
      updateCurrent((data) => {
        const next = changeTurn(data, turnId, ({ remark: _, ...turn }) => {
          const remark: Remark = {
            ...(mark === undefined ? {} : { mark }),
            ...(text === undefined || text === '' ? {} : { text }),
          };
          return Object.keys(remark).length === 0 ? turn : { ...turn, remark };
        });
        return { ...next, session: { ...next.session, summary: summarizeForHistory(next) } };
      }),

    /** Sets the value of a {{name}} in this session. */
    setVariable: (name: string, value: string): void =>
      updateCurrent((data) => {
        const { [name]: _, ...others } = data.session.variables ?? {};
        const variables = value === '' ? others : { ...others, [name]: value };
        return { ...data, session: { ...data.session, variables } };
      }),
  };
}
