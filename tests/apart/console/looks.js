// What is wrong with how a page looks, in words. Called with whether the page is for approvers.
(isForApprovers) => {
  const wrong = [];
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true });
  const isClipped = (box, one) => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let up = one; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      const around = up.getBoundingClientRect();
      const isOut = x < around.left || x > around.right || y < around.top || y > around.bottom;
      if (style.overflow !== "visible" && isOut) return true;
    }
    return false;
  };

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) wrong.push(`the page is ${wide} px wide in a window of ${innerWidth}`);

  for (const one of document.querySelectorAll("body *"))
    if (isShown(one) && ["fixed", "sticky"].includes(getComputedStyle(one).position) && !one.matches("dialog"))
      wrong.push(`${one.tagName}.${one.className} stays while the page moves under it`);

  const boxes = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !isShown(one) || one.closest(".hidden, .skip, dialog, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const box of range.getClientRects()) if (!isClipped(box, one)) boxes.push([box, one]);
  }
  for (const one of document.querySelectorAll("svg.mark, svg.icon, input, select, textarea, button"))
    if (isShown(one) && one.getBoundingClientRect().width > 0) boxes.push([one.getBoundingClientRect(), one]);
  if (!document.querySelector("dialog[open]"))
    for (const [box, one] of boxes) {
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (top && !one.contains(top) && !top.contains(one))
        wrong.push(`${top.tagName}.${top.className} covers ${one.textContent.trim().slice(0, 40)}`);
    }
  if (!document.querySelector("dialog[open]")) for (const [at, [box, one]] of boxes.entries())
    for (const [other, two] of boxes.slice(at + 1)) {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (across > 2 && down > 4 && !one.contains(two) && !two.contains(one))
        wrong.push(`${one.textContent.trim().slice(0, 40)} overlaps ${two.textContent.trim().slice(0, 40)}`);
    }

  for (const [, one] of boxes)
    if (!["14px", "16px", "22px"].includes(getComputedStyle(one).fontSize) && !one.closest("svg"))
      wrong.push(`${getComputedStyle(one).fontSize} is none of the three sizes: ${one.tagName}.${one.className}`);

  for (const time of document.querySelectorAll("time"))
    if (!time.dateTime || !/ \d\d:\d\d:\d\d UTC$/.test(time.title)) wrong.push(`no time on hover: ${time.textContent}`);

  // What is sent, said or kept is shown as it is.
  const unread = ".exact, .bubble, .args dd, code, option, textarea";
  const read = boxes.filter(([, one]) => !one.closest(unread)).map(([, one]) => [...one.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data).join(" "));
  const rules = {
    "a date that is not relative": /\b\d{1,2} [A-Z][a-z]{2} 20\d\d|\b20\d\d-\d\d-\d\d/,
    "no separator of thousands": /(?<![\w.,])\d{4,}\.\d\d\b/,
  };
  const forApprovers = {
    "a UUID": /\b[0-9a-f]{8}-[0-9a-f]{4}-/,
    "milliseconds": /\d ms\b/,
    "a name of the code": /(?<![\w@.-])[a-z]+_[a-z]+\b/,
    "an internal word": /\b(threads?|idempotency|lease|payload|interrupt|epoch|null|None|undefined)\b/,
  };
  for (const [what, rule] of Object.entries({ ...rules, ...(isForApprovers ? forApprovers : {}) }))
    for (const text of read) if (rule.test(text)) wrong.push(`${what}: ${text.trim().slice(0, 80)}`);
  return [...new Set(wrong)];
}
