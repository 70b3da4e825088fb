import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { hasLiveRun } from '../../conversation/reply/run.ts';
import { buildContent, toImagePart } from '../../conversation/request/message-images.ts';
import { isEmptySession } from '../../conversation/session/edit-session.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { getSendBlocker } from '../../gateway/http/gateway-state.ts';
import type { Message } from '../../gateway/wire.ts';
import { useAppServices, useSession, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { useFocusedGateway } from '../health/use-focused-gateway.ts';
import { useGatewayState } from '../health/use-gateway-setup.ts';
import { useGatewayStatuses } from '../health/use-status.ts';
import { usePendingResults } from '../tools/use-pending-results.ts';
import { useTargetLanes } from './composer-targets.tsx';
import type { ComposerDraft } from './use-composer-draft.ts';

const stillStreamingText = 'Not sent: an answer is still streaming. Stop it or wait.';

export type Sending = ReturnType<typeof useSending>;

/** Sends the draft to the target lanes and stops answers. `onSent` is called when the draft has been cleared. */
export function useSending(draft: ComposerDraft, onSent: () => void) {
  const { actions, session, view } = useSessionServices();
  const { requestRules } = useAppServices();
  const announce = useAnnounce();
  const targets = useTargetLanes();
  const { messageText, files, images, isEmpty, problem, tooLargeReason } = draft;
  const isBusy = useSession(hasLiveRun) ?? false;
  const hasModel = useSession((data) => targets.every((id) => data.lanes[id]?.setup.model)) ?? false;
  const gatewayName = useFocusedGateway();
  const gateway = useGatewayState(gatewayName);
  const unknownGateway = useUnknownGateway(targets);
  const isSessionEmpty = useSession(isEmptySession) ?? false;
  const disabledReason = unknownGateway ?? (isSessionEmpty ? getSendBlocker(gateway, hasModel) : undefined);
  // Disabled while the gateway is unusable, but not while the models are still loading.
  const isDisabled = disabledReason !== undefined && (gateway !== 'checking' || unknownGateway !== undefined);
  const pendingStop = useRef<Promise<void>>(Promise.resolve());
  const [isStopping, setIsStopping] = useState(false);
  const [isSendTooEarly, setIsSendTooEarly] = useState(false);
  const [isSendPending, setIsSendPending] = useState(false);
  const isStopVisible = isBusy && !isStopping;
  if (isSendTooEarly && !isBusy) setIsSendTooEarly(false);
  const pendingResults = usePendingResults(targets);
  const hasNothingToSend = isEmpty && !pendingResults?.canSend;
  const hint = getSendHint(hasNothingToSend, hasModel, targets.length);

  const send = async () => {
    setIsSendTooEarly(false);
    if (hasNothingToSend || targets.length === 0) return;
    if (isDisabled) return announce(`Not sent. ${disabledReason}.`);
    if (tooLargeReason !== undefined) return announce(`Not sent. ${tooLargeReason}`);
    // Until the model list with the default model has loaded, the message is kept; it is sent afterwards.
    setIsSendPending(!hasModel);
    if (!hasModel) return;
    // Evaluated here, because the user may have marked a model's abilities since the last render.
    const lanes = getCurrentSession(session.getState())?.lanes;
    const attachments = [...files, ...images.map(toImagePart)];
    const hasEmptyTarget = targets.some((id) => {
      const setup = lanes?.[id]?.setup;
      const rejectedTypes: readonly string[] = (setup && requestRules.listRejectedTypes?.(setup)) ?? [];
      return attachments.every(({ type }) => rejectedTypes.includes(type));
    });
    if (messageText.trim() === '' && attachments.length > 0 && hasEmptyTarget)
      return draft.setProblem('The model of one lane accepts none of the attachments. Add some text.');
    const content = buildContent(messageText, attachments);
    const name = view.getState().author.trim();
    const messages: Message[] = isEmpty ? [] : [{ role: 'user', content, ...(name !== '' && { name }) }];
    draft.clear();
    onSent();
    await pendingStop.current;
    if (pendingResults?.canSend) await pendingResults.send(messages);
    else await actions.sendPrompt({ messages }, targets);
  };

  useWhenReady(isSendPending && hasModel, () => void send());

  return {
    /** Lanes that receive the message. */
    targets,
    isBusy,
    isStopVisible,
    isSendPending,
    pendingResults,
    /** Reason why nothing can be sent to this gateway. */
    disabledReason,
    isSendDisabled: hint !== undefined || isDisabled || tooLargeReason !== undefined,
    sendTitle: disabledReason ?? tooLargeReason ?? hint,
    warnings: [
      ...(problem === '' ? [] : [problem]),
      ...(isSendTooEarly && isStopVisible ? [stillStreamingText] : []),
      ...(isSendPending && !hasModel ? ['Choose a model to send the message.'] : []),
    ],
    send,
    /** Sends the draft; during an answer, it shows the reason why the draft is kept. */
    sendByKey: () => {
      if (!isStopVisible) void send();
      else if (!isEmpty) {
        setIsSendTooEarly(true);
        announce(stillStreamingText);
      }
    },
    stop: () => {
      setIsStopping(true);
      pendingStop.current = actions
        .stop()
        .catch(() => undefined)
        .finally(() => setIsStopping(false));
      draft.focusField();
    },
  };
}

/** Returns why nothing can be sent if one of these lanes names a gateway that the server does not have. */
function useUnknownGateway(laneIds: readonly LaneId[]): string | undefined {
  const { gateways } = useAppServices();
  useGatewayStatuses();
  const name = useSession((data) => {
    const names = laneIds.map((id) => data.lanes[id]?.setup.gateway);
    return names.find((gateway) => gateways.isUnknown(gateway));
  });
  return name === undefined ? undefined : `This server has no gateway named ${name}`;
}

function getSendHint(isEmpty: boolean, hasModel: boolean, targetCount: number): string | undefined {
  if (targetCount === 0) return 'Choose a lane first.';
  if (!hasModel) return 'Choose a model first.';
  return isEmpty ? 'Write a message first.' : undefined;
}

/** Calls `callback` once, as soon as `isReady` is true. */
function useWhenReady(isReady: boolean, callback: () => void): void {
  const onReady = useEffectEvent(callback);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
}
