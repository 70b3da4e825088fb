import { useState } from 'react';

import { withText, type Params } from '../../../conversation/setup/params.ts';
import { findLostToolChoice } from '../../../conversation/setup/tool-choice.ts';

/** Wraps an edit of the tools to return a remark if it resets tool_choice. */
export function useToolsEdit(params: Params, onText: (text: string) => void) {
  const [removedToolName, setRemovedToolName] = useState<string>();
  // Shown only while it still applies.
  const isAuto = params.tool_choice?.text === 'auto';
  return {
    choiceRemark:
      removedToolName !== undefined && isAuto
        ? `tool_choice was reset to auto because ${removedToolName} was removed.`
        : undefined,
    changeText: (text: string) => {
      const name = findLostToolChoice(params, withText(params, 'tools', text));
      if (name !== undefined) setRemovedToolName(name);
      onText(text);
    },
  };
}
