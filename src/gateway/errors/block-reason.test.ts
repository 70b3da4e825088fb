import { expect, it } from 'vitest';

import { findBlockReason } from './block-reason.ts';

it.each([
  ['SAFETY', { choices: [], promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } }],
  ['OTHER', { choices: [], prompt_feedback: { block_reason: 'OTHER' } }],
  [
    'SAFETY: Too violent',
    { prompt_feedback: { block_reason: 'SAFETY', block_reason_message: 'Too violent' } },
  ],
  ['jailbreak', { promptFilterResults: [{ results: { jailbreak: { detected: true, filtered: true } } }] }],
  [
    'hate',
    {
      prompt_filter_results: [
        {
          prompt_index: 0,
          content_filter_results: { violence: { filtered: false }, hate: { filtered: true } },
        },
      ],
    },
  ],
  [
    'HARM_CATEGORY_X',
    { promptFeedback: { safetyRatings: [{ category: 'HARM_CATEGORY_X', blocked: true }] } },
  ],
  ['self-harm', { input_moderation: { flagged: true, reason: 'self-harm' } }],
  ['PII', { response: { guardrails: { blocked: true, type: 'PII' } } }],
  ['IMAGE_SAFETY', { block_reason: 'IMAGE_SAFETY' }],
  ['blocked', { choices: [], blocked: true }],
])('finds the block reason %s', (reason, chunk) => {
  expect(findBlockReason(chunk)).toBe(reason);
});

it('finds no block reason in filters that passed, in answers or in errors', () => {
  for (const chunk of [
    { promptFeedback: { safetyRatings: [{ category: 'HARM_CATEGORY_X', probability: 'NEGLIGIBLE' }] } },
    { promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' } },
    { prompt_filter_results: [{ content_filter_results: { hate: { filtered: false, severity: 'safe' } } }] },
    { choices: [{ content_filter_results: { hate: { filtered: true } } }] },
    { error: { content_filter_result: { hate: { filtered: true } } } },
    { meta: { results: { filtered: true } } },
  ])
    expect(findBlockReason(chunk), JSON.stringify(chunk)).toBeUndefined();
});
