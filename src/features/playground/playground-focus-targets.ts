/** The places of the playground that the focus goes to from elsewhere. */
import type { ParamName } from '../../conversation/setup/params.ts';
import { createFocusTarget, type FocusTarget } from '../../ui/focus/focus-target.ts';

export const messageField = createFocusTarget('message');
/** In the composer. */
export const authorName = createFocusTarget('author name');
export const systemPrompt = createFocusTarget('system prompt');
/** Of the search in the session. */
export const sessionFindField = createFocusTarget('find in session');
export const turnsButton = createFocusTarget('turns');
export const sessionMenu = createFocusTarget('session menu');
/** Of any lane. */
export const laneMenu = createFocusTarget('lane menu');
/** The header of this lane. */
export function getLaneHeaderTarget(letter: string): FocusTarget {
  return createFocusTarget(`header of lane ${letter}`);
}

/** Scrolls this lane in beside the others. */
export function bringLaneIntoView(letter: string): void {
  getLaneHeaderTarget(letter).findElement()?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

/** Of a message or an answer. */
export const editButton = createFocusTarget('edit');
export const showParametersButton = createFocusTarget('show parameters');
export const hideParametersButton = createFocusTarget('hide parameters');
export const openInspectorButton = createFocusTarget('open inspector');
/** The tab of the inspector that is chosen. */
export const inspectorTab = createFocusTarget('inspector tab');

export function getModelPickerTarget(letter: string): FocusTarget {
  return createFocusTarget(`model of lane ${letter}`);
}

/** Opens the model picker of this lane, for those who are sent there from somewhere else. */
export function openModelPicker(letter: string): void {
  const picker = getModelPickerTarget(letter);
  if (picker.focus()) picker.findElement()?.click();
}

export function getParameterRowTarget(name: ParamName): FocusTarget {
  return createFocusTarget(`parameter ${name}`);
}
