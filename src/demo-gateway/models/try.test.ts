import { it } from 'vitest';
import { tools } from './tools.ts';
import { aRequest, replyOf } from './testing-requests.ts';
import { fn, kit } from './testing-tools.ts';
it('x',()=>{
 for (const q of ['What is the weather in Paris and Rome?','weather in paris','Is it raining in New York City, in Fahrenheit?','weather in Paris, Rome and Berlin in celsius','What is the weather in Paris and what time is it in Tokyo?','the weather and the time in Paris','Send an email to bob@example.com saying that we are late','Email bob@example.com with subject "Lunch" and tell him that I am late','Convert 100 USD to EUR','convert 5,000 yen into dollars','What is 15 * (23 + 2)?','Search the web for cats and dogs','Book a flight from Paris to Rome on 3 May 2027 for 2 passengers','Add milk, eggs and bread to my shopping list','Remind me tomorrow at 5pm to call mum','book a table for four people at Luigi\'s on Friday at 19:30 without outdoor seating','hello','Find restaurants','translate "good morning" into French','What is the stock price of AAPL and MSFT?','turn the lights in the kitchen off', 'Hi, I am in Berlin. What is the weather here?']) {
  const r=replyOf(tools, aRequest(q,{fields:{tools:kit}}));
  console.log(q,'\n   ', r.map(p=>'toolCall' in p? `>> ${p.toolCall.name} ${p.toolCall.arguments}`:'text' in p?p.text:'').join('').slice(0,300).replace(/>>/g,'\n    >>'));
 }
 void fn;
});
