import { expect, test } from './fixtures.ts';

test('shows a complete error as inert text within its reply until Retry succeeds', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const message = `<img src=x onerror="document.title='broken in'"> ${'long'.repeat(500)} \u202Egnp.exe`;
  gateway.setChatScript((answer) =>
    answer.sendJson(500, { error: { message, type: '<b>type</b>', code: 'x' } }),
  );
  await bench.open(server.url);
  await bench.sendAndWait('Question');
  await expect(bench.getError()).toContainText('<img src=x onerror=');
  await expect(bench.getError()).toContainText('<b>type</b>');
  await expect(bench.getError().getByRole('img')).toHaveCount(0);
  expect(await page.title()).not.toContain('broken in');
  const overflowPx = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflowPx).toBe(0);
  gateway.setChatScript((answer) => answer.sendAnswer('All is well again'));
  await bench.getError().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toContainText('All is well again');
  await expect(bench.lastReply).toContainText('2 of 2');
  await expect(bench.getError()).toHaveCount(0);
});

test('links a rejected field to its row, renames it with one click and undoes the renaming with another', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.setChatScript((answer, { body }) => {
    if (body['max_tokens'] === undefined) return answer.sendAnswer('Well then');
    const message = "'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
    answer.sendJson(400, { error: { message, param: 'max_tokens' } });
  });
  await bench.open(server.url);
  const maxTokensField = bench.parameters.getByRole('spinbutton', { name: 'max_tokens', exact: true });
  await maxTokensField.fill('77');
  await bench.sendAndWait('Question');
  const requestId = bench.getError().getByText('request ID');
  await expect(requestId, 'the facts are folded').toBeHidden();
  await bench.getError().getByText('400', { exact: true }).click();
  await expect(requestId).toBeVisible();
  await bench.getError().getByRole('link', { name: 'max_tokens' }).click();
  await expect(maxTokensField).toBeFocused();
  const fixButton = bench.getError().getByRole('button').first();
  await expect(fixButton).toHaveText('Send as max_completion_tokens');
  await fixButton.focus();
  await fixButton.press('Enter');
  await expect(bench.lastReply).toContainText('Well then');
  await expect(bench.lastReply).toBeFocused();
  expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 77 });
  await expect(bench.parameters).toContainText('sent as max_completion_tokens');
  await bench.undo.click();
  await expect(bench.parameters).not.toContainText('sent as max_completion_tokens');
  await expect(bench.lastReply).toContainText('Well then');
});
