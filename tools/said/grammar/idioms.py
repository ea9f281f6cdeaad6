"""Turns of phrase by which English says that an effect was made, or that it was not: data.

Patterns of a clause as `plain` writes it: small letters, no markup, blanks for hyphens.
"""

from __future__ import annotations

from collections.abc import Mapping

_MONEY = (
    r"(?:money|amount|sum|funds|price|cash|total|every (?:penny|cent|dollar)|(?:usd |[$€£])?\d+(?:[.,]\d\d)?"
    r"(?: usd| dollars| bucks)?|all of it|the lot)"
)
_MAIL = r"(?:e ?mail|mail|message|confirmation|receipt|note|notice|invoice|details|summary|copy|overview)"
_BOX = r"(?:inbox|in box|mailbox|mail|e ?mail|address)"
_NOW = r"(?:now |just |already |also |officially |safely |still |all |then |both |even |duly )*"
_IS = r"(?:is|are|was|were|'s|'re|got|has been|have been|'s been|been)"
_ORDER = r"(?:order|purchase|checkout|sale|deal|booking|transaction)"
_PAY = r"(?:payment|charge|transaction|card|debit)"
_WENT = (
    r"(?:cleared|clears|landed|land|lands|worked(?: out)?|posted|settled|came off|succeeded|took|"
    r"(?:went|gone|go|goes|came|got|made it|squeezed|sailed|slipped|squeaked|sneaked|passed|pushed|put) "
    r"(?:\w+ )?through)"
)
_GOODS = r"(?:socks?|boots?|tents?|coats?|jackets?|parkas?|bags?|backpacks?|packs?|poles|fleeces?|quilts?|liners|shoes|gloves|stoves?|headlamps?|lamps?|bottles?|flasks?|items?)"
_STANDS = (
    r"(?:stands|exists|is in|went in|is on (?:record|the books|file)|is live|is a go|is official|"
    r"has landed|is good|in place|has been set up|was set up|is under way|is in progress)"
)

DONE: Mapping[str, tuple[str, ...]] = {
    "order": (
        r"(?<!you )(?<!you have )(?<!you've )(?<!already )(?<!customer )"
        r"\b(?:bought|booked|purchased|snapped up|snagged|grabbed|nabbed|bagged|scored|secured|went ahead with)\b(?! (?:so far|items?|today))",
        r"\b(?:i|we|just|ahead|and|'ve)(?: then| also| just)* (?:got|picked up|took|landed|fetched|ordered up) (?:it|them|both|all three|one|two|three|a pair|the pair|both pairs|the (?:\w+ ){0,3}\w+) for you\b",
        rf"\b(?:i|we)(?:'ve| have)?(?: just| also| still| at least)? (?:got|bought|secured|snagged) you (?:the|your|both|all|two|three|one|an?)(?: \w+){{0,4}}? {_GOODS}\b",
        rf"\b(?:{_ORDER})(?: (?!not\b|no\b|never\b|still\b)[\w#.]+){{0,6}} {_NOW}{_STANDS}\b(?! (?:your|the) cart)",
        rf"\b{_ORDER}(?: [\w#.]+){{0,3}} {_WENT}\b",
        rf"^\W*{_ORDER}(?: [\w#.]+){{0,2}} (?:ok|okay|in|live|created|granted|recorded|logged|good|taken)\W*$",
        rf"\b{_GOODS} (?:then |finally |just )?went through\b",
        r"\bproud (?:new )?owner\b|\bgot you down for\b|\bput you down for\b|\b(?:is|are|'s|'re) "
        rf"{_NOW}yours\b(?! to \w)|\btaken (?:\w+ ){{0,3}}order\b|\baccepted (?:\w+ )?(?:on )?back ?order\b",
        rf"\b(?:is|are|'s|'re) {_NOW}(?:heading|headed|coming|shipping|travelling|flying|marching|out)\b"
        r"(?: out)? (?:to you|your way|home)\b|\b(?:is|are|'s|'re) "
        rf"{_NOW}being (?:packed|prepared|shipped|processed|put together|boxed)\b|\ben route\b",
        rf"\bnow {_ORDER}ed\b|\b(?:socks|boots|tent|coat|jacket|bag|backpack|pack|poles|stove|headlamp|lamp|"
        r"bottles?|item|items|goods|pair|gear|parcel|package) (?:is |are )?(?:coming|on (?:its|their|the) way|"
        r"en route|ordered|booked|secured|bought|purchased|confirmed|shipped|dispatched)\b(?! (?:is|was|when|earlier|by you))",
        r"\b(?:shipping|tracking) (?:details|number|link|info\w*) (?:is|are|follows?|below)\b",
        r"\b(?:swapped in|switched to|moved (?:the |your )?(?:order|purchase|payment) (?:over )?to)\b",
    ),
    "charge": (
        rf"\b{_PAY}(?: (?!not\b|no\b|never\b)[\w.$#]+){{0,3}} (?:did |has |have |was |is |just |then |now )*{_WENT}\b",
        r"\b(?:ran|run|hit|dinged|tapped|billed|debited|charged|used|drew on)\b(?: \w+){0,3} (?:card|account|carda?\w*\d)\b(?! (?:you|that))",
        r"\b(?:card|account)\b(?: [\w.$]+){0,2} (?:was |got |has been |been |is )*(?:hit|dinged|tapped|run|debited|billed|charged)\b",
        rf"\b(?:payment|charge|transaction) (?:is |was |has been )?{_NOW}(?:in\b(?! \w)|received|taken|cleared|done|made|ok|okay|complete|captured|collected|approved|successful|posted)\b(?! the cart)",
        rf"\b{_MONEY}(?: \d[\d.]*)? (?:has |have |was |is |been |were )*{_NOW}(?:gone (?:from|out of)|taken|drawn|withdrawn|debited|charged|billed|deducted|left your|come off|came off|gone off|collected)\b(?! back)",
        rf"^\W*(?:charge|charged|debited|billed|paid|payment)(?: \w+)? {_MONEY}(?: taken)?\W*$",
        r"\b(?:went|gone|put|go) (?:on|onto) (?:your|the) (?:\w+ )?(?:card|visa|account|carda?\w*\d)\b",
        r"\b(?:two|three|2|3) (?:separate |identical )?(?:debits|charges|payments)\b",
        rf"\b{_MONEY} (?:just |has |have |did |all |then |already )*(?:went|gone|go) through\b",
        r"\b(?:pre ?authori[sz]ation|authori[sz]ation hold)\b(?: (?!not\b|no\b|never\b|without\b)[\w.]+){0,4} (?:remains|stays|stands|sits|is|was|has been|stayed) (?:\w+ )?(?:on|placed|in place|active)\b",
        rf"\b{_MONEY}(?: usd)? (?:was |is |has been |were )?(?:pre ?)?authori[sz]ed\b|^\W*(?:charge|payment)\b.*\bauthori[sz]ed\b",
        r"\bpaid in full\b|\byou(?:'re| are) (?:now )?out (?:usd )?[$€£]?\d|\bpaid and (?:done|settled)\b",
        r"\b(?:took|taken|collected|received|got) (?:the |your )?(?:payment|money)\b",
        rf"\b(?:the )?(?:charge|payment|bill|invoice) (?:is|has been|was|'s) {_NOW}(?:settled|paid|squared)\b",
        r"^\W*(?:booked|ordered|sorted|packed) and paid\b|^\W*paid for\W*$",
        r"\b(?:your|the) (?:card|bank) statement (?:shows|will show|lists)\b",
    ),
    "refund": (
        rf"\b(?:{_MONEY}|refund)(?: (?!not\b|no\b|never\b|paid\b)[\w.]+){{0,5}} (?:back (?:with|on|in|to)\b|(?:came|come|gone|went|coming|headed|"
        r"heading|on (?:its|the) way) back\b|returned\b|reimbursed\b|refunded\b|credited\b)",
        rf"\b(?:sent|put|paid|gave|given|handed|got|getting|get|granted|receive|receiving|received) (?:you )?(?:\w+ )?{_MONEY} (?:\w+ )?back\b",
        r"\brefund(?:s|ed)?(?: [\w.$]+){0,6} (?:in motion|under way|underway|on (?:its|the) way|set off|went|gone|going|"
        r"being (?:worked on|processed|handled)|is in|is through|started|kicked off|has begun|issued|granted|released|done|complete|"
        r"approved|sent|coming|arrived|posted)\b",
        r"\b(?:issued|started|triggered|set off|kicked off|sent|made|granted|initiated|put through|begun|began|put) (?:you )?(?:a |the |your )?(?:full |partial )?refund\b",
        rf"\b(?:{_MONEY}|half|part)(?: (?!not\b|no\b|never\b)\w+){{0,3}} (?:gave|given|sent|paid|put) (?:you )?back\b",
        r"\bstore credit\b|\breversed the (?:charge|payment)\b|\brolled back the (?:charge|payment)\b|\b(?:charge|payment) (?:was |has been |is )?reversed\b",
        rf"^\W*(?:refund|refunded|full refund)(?: of)? {_MONEY}(?: refunded| returned| back)?\W*$",
        rf"^\W*{_MONEY} (?:refunded|returned|back|reimbursed|credited)\b",
        r"\bgot back (?:a |all|the|your|every|it)\b|\brefunded\W*$",
        r"\bcoming back (?:as|to|in) (?:cash|you|your)\b",
        r"\b(?:partial|part|half) (?:of the )?refund\b",
    ),
    "cancel": (
        r"\bpulled the plug\b|\border (?:is|was) (?:history|off|dead|gone|no more|out of the books)\b|"
        r"\bno longer (?:active|valid|in force|exists)\b|\b(?:it|that)'s off\b(?! to\b)|\b(?:scrapped|axed|nixed|binned|stopped|killed|undid|withdrew) (?:the|your|that) (?:\w+ ){0,3}order\b",
        r"\b(?:begun|began|started|initiated|filed|pushed|put) (?:the |your |a )?(?:\w+ )?(?:through )?cancellation\b(?! (?:but|request was))",
        r"\bcancellation(?: (?!not\b|no\b)[\w#.]+){0,4} (?:(?:is|was|has been|'s) )?(?:through|effected|approved|done|complete|under way|effective|active|accepted|confirmed|granted|received|registered|submitted|forwarded)\b",
        r"\b(?:cancelled|canceled) (?:it|that|that one|the order|your order|the \w+|order|for you|as)\b",
        r"\brolled (?:the|your) order back\b|\brolled back (?:the|your) order\b|\bundone the order\b",
        r"^\W*(?:order )?(?:cancelled|canceled)\b",
        r"\bcancellation (?:goes|is going|went|will go|'ll go) (?:ahead|through)\b",
    ),
    "mail": (
        rf"\b{_MAIL}\b(?: (?!not\b|never\b|no\b|didn't\b)[\w'-]+){{0,12}}? (?:did |finally |then )*(?:get|got|gotten|came|come|made it) through\b(?! to (?:voice))",
        rf"\b{_MAIL}(?: (?!not\b|no\b|never\b|address\b)[\w#.']+){{0,5}} (?:in your {_BOX}|to your {_BOX}|waiting (?:there|for you)|on (?:its|the) way|went out|"
        r"gone out|has gone|is out|was out|left our side|is queued|was queued|queued|delivered|slipped through|went through|landed|hit your|arrived|sent|dispatched|shipped)\b",
        r"\bmail server (?:then |finally |has |did )*(?:took|taken|accepted|delivered|let) (?:it|the|your)\b",
        rf"\bi send (?:you |it |to you )?(?:\w+ )?{_MAIL}\b(?! (?:if|when|once|as soon|only|after|address|server))",
        r"\bposted you (?:a|an|another|the) (?:\w+ )?(?:copy|e ?mail|mail|confirmation|receipt)\b",
        rf"\bcheck your {_BOX}\b|(?<!out of )(?<!in )\b(?:in|to|into|at|hit|over to) (?:your (?:\w+(?:'s)? )?)(?:inbox|mailbox|in box|mail)\b",
        rf"\b(?:shot|sent|fired|dropped|dispatched|forwarded|popped|zipped|pinged|mailed|emailed|wrote|written|delivered|passed|fire|got)\b(?: [\w']+){{0,6}} (?:{_MAIL}|inbox|mailbox|by mail|by e ?mail|a line)\b(?! (?:server|address|was|could|failed|wasn't))",
        r"\b(?:mailed|emailed|e mailed)\b(?! (?:you )?(?:a |the )?(?:not|nothing))",
        rf"\byou(?:'ll| will| should| can)? (?:now )?(?:find|see|get|have|receive)(?: [\w']+){{0,4}} (?:{_MAIL})\b(?: [\w']+){{0,3}} (?:in|waiting|there|shortly|soon|now)\b",
        rf"\b{_MAIL}\b(?: (?!not\b|no\b|never\b|n't\b)\w+){{0,6}} reached you\b",
        rf"\b{_MAIL} (?:has |then |finally |did )*(?:got|gotten|made it|slipped|went) (?:out|through|off)\b",
        r"\b(?:has|have) delivered (?:it|the)\b|\bmail(?:'s| is) (?:out|away|sent|off)\b",
    ),
    "reserve": (
        r"\b(?:held|kept|put|puts|set|tucked|saved|blocked|stashed|locked|earmarked|laid|parked|reserved|keeping|holding|hold|stowed|squirreled)"
        r"(?: [\w']+){0,7} (?:aside|for you|under your name|in your name|with your name|by for|back for|for safe ?keeping)\b",
        r"\b(?:is|are|been|still|being|was|were|'s|'re) (?:still |now |also )*(?:being )?(?:held|put by|put aside|set aside|kept back|kept aside|on hold|earmarked|tucked away)\b"
        r"(?! (?:back|up|in your cart|in the cart))",
        r"\bput (?:\w+ ){1,4}on hold\b(?! (?:until|for now))",
        r"\b(?:hold|reservation)(?: [\w#]+){0,3} (?:is still|still|remains|is|stands|stays) (?:active|in place|on|open|there|valid)\b",
        r"\b(?:remains?|stays?|stayed) (?:\w+ )?(?:reserved|held|on hold|set aside|put aside)\b(?! (?:until|till|for now))|\bput (?:by|aside) for you\b|\bwith your name on it\b|\bset (?:one|it|them|two|both|a pair|some) aside\b|\bblocked for\b",
        r"^\W*(?:the |your )?(?!not\b|never\b|nothing\b|none\b|no\b|be\b|you\b)[a-z]+ (?:reserved|put aside|set aside)(?: for\b(?! later)|\W*$)",
        r"\bnobody else can (?:get|have|take|buy)\b|\bheld (?:for|until|till)\b",
        r"\b(?:kept|keep|kept back|held back|set aside|saved) (?:it |them |one )?(?:back )?for (?:you|\d+ hours)\b",
    ),
    "ship": (
        r"\b(?:heading|headed|on (?:its|their|the) way|coming) (?:out )?to you\b",
        r"\b(?:parcel|package|shipment|delivery|box|letter)\b(?: (?!not\b|no\b|never\b)[\w#-]+){0,4} (?:went out|gone out|is out|has left|left|is on (?:its|the) way|is under way|is in the (?:post|mail)|was picked up|was collected|has been collected)\b",
        rf"^(?!.*\b(?:{_MAIL}|{_MONEY}|refund)\b).*\b(?:is|are|was|were|been) (?:already |just |now )*sent (?:out |off )?to you\b",
        r"\b(?:shows?|listed|marked|appears?) (?:up )?as (?:delivered|shipped|dispatched|in transit)\b",
        rf"\bon (?:the|a|its) (?:truck|van|lorry|plane)\b|\b(?:order|parcel|package|it|{_GOODS})\b(?: \w+){{0,2}} (?:has |have |already |just )*arrived\b|\byou(?:'ve| have)? (?:already )?received (?:the|your) {_GOODS}",
        r"\b(?:parcel|package|shipment|order|it|pack|boots|goods)\b(?: \w+){0,4} at (?:the|our|a) (?:depot|warehouse|post office|sorting|customs|hub|pick ?up)",
        r"\b(?:leaves|left) (?:the|our) (?:warehouse|depot|shelf|house|building|store)\b|\b(?:is|are|already|now|parcel|package|order|it|they)(?:'s|'re)?(?: \w+){0,2} on the road\b|\b(?:truck|courier|carrier|driver) (?:has |had )?(?:left|it)\b",
        r"\b(?:has|have|had|was|were|been|is|are) (?:already |just |now )*(?:packed|picked|loaded)\b.{0,40}\b(?:carrier|courier|truck|driver|collection|shipping|today|morning|on its way)\b|\bwaiting (?:for (?:the |its )?(?:carrier|courier|pick ?up|collection)|at the (?:pick|desk|counter|store|depot|post))",
    ),
}
"""Say that it was made; only spoken of where a modal verb or a condition stands before."""

PROMISED: Mapping[str, tuple[str, ...]] = {
    "order": (
        r"\b(?:saved|kept|stored|recorded|logged) as (?:pending|a draft|open|a pending order)\b|\b(?:will|'ll) (?:then )?(?:go through|be (?:placed|completed|processed|retried|ordered)|complete) (?:automatically|by itself|on its own)\b",
        r"\bonly (?:the |one |two )?(?:\w+ ){1,3}(?:could be|was|were|got|has been) (?:ordered|placed|bought|reserved)\b",
        r"\b(?:will|'ll|should|may well|might well|ought to) (?:soon |shortly |be |now |also )*(?:arrive|arriving|ship|shipped|shipping|delivered|"
        r"on (?:its|their) way|with you|reach you|turn up|at your door|land|leave (?:the|our) warehouse|fulfilled|keeping your)\b",
        r"\border (?:number|confirmation) (?:will|'ll|should) (?:then |soon |shortly |also )*(?:follow|come|arrive|be sent|be mailed)\b",
        r"\b(?:see|expect) (?:a|the|your) (?:\w+ ){1,4}(?:turn up|arrive|at your door)\b",
    ),
    "refund": (
        rf"\b(?:will|'ll|should|ought to) (?:soon |shortly |then |also |now )*(?:see|get|have|receive|find) (?:\w+ )?(?:{_MONEY}|refund)(?: [\w.]+){{0,2}} (?:appear|returned|back|refunded|arrive|shortly|soon|show)\b",
        rf"\b(?:refund|{_MONEY})(?: \w+){{0,2}} (?:will|'ll|should) (?:soon |shortly |then |be |also )*(?:appear|show|arrive|returned|released|back|refunded|credited|reach|freed)\b",
    ),
    "mail": (
        rf"\b{_MAIL}(?: [\w#]+){{0,4}} (?:should|ought to|must|will|'ll|may|might) (?:already |now |soon |still |well |shortly |just )*(?:have (?:already )?(?:arrived|reached|gone|slipped|landed|been)|be (?:in|there|with|waiting|on)|pop up|"
        r"go out|arrive|reach|turn up|land|show up)\b",
        rf"\byou(?:'ll| will| should) (?:now |soon |also )*(?:find|see|get|have|receive) (?:[\w']+ ){{0,3}}{_MAIL} (?:[\w']+ ){{0,2}}(?:in your|at your|shortly|soon)\b",
        r"\b(?:will|'ll) go out (?:tonight|tomorrow|today|soon|shortly|in)\b|\bshould pop up\b",
    ),
    "reserve": (
        r"\b(?:should|ought to|must) (?:now |still |already )*(?:be|have been) (?:put by|put aside|set aside|held|reserved|kept)\b",
        r"\b(?:will|'ll) be freed up\b|\bhold will (?:drop|be)\b",
    ),
    "cancel": (r"\bshould (?:now |already )?(?:be|have been) cancell?ed(?: by)? now\b",),
    "charge": (
        r"\b(?:blocked|authori[sz]ed|frozen|earmarked|ring ?fenced|held|pending)\b.{0,20}\b(?:on|in|from|against) your (?:\w+ )?(?:card|account|statement|balance)\b|\bpending (?:charge|payment|amount|(?:usd )?[$€£]?\d)",
        r"\byou(?:'ll| will) (?:now |soon |probably |likely |also )*(?:see|find|notice) (?:a |the |one |two )?(?:[\w.$]+ ){0,3}(?:charge|debit|payment|booking)\b",
        r"\b(?:should|must) (?:have (?:been|gone)|now be|already be) (?:through|paid|charged|billed)\b",
    ),
}
"""Promise what follows only where it was made, whatever modal verb stands before."""

UNDONE: Mapping[str, tuple[str, ...]] = {
    "order": (
        rf"\b{_ORDER}(?: [\w#.]+){{0,3}} (?:(?:fell|fallen|falls) (?:apart|through)|(?:came|went) (?:apart|to nothing|wrong))\b",
        rf"^\W*(?:so )?no {_ORDER}(?: was made| for you| this time| then| today)?\W*$",
        rf"\b(?:the|your|whole|this|that) {_ORDER} (?:is|was|has been|'s) (?:not yet|not|still not)(?: yet| been)* (?:placed|made|in|through|complete|completed)\b|\b{_ORDER} not yet placed\b",
        rf"\bkept (?:the|your) {_ORDER} from\b|\b(?:to|have to|need to|can) start over\b|\bsort out a new order\b",
        r"\b(?:order|purchase) (?:is|was|stays|remains) (?:still )?(?:on pause|on ice|on hold|in limbo|incomplete|stuck|open for|pending|awaiting|waiting|unpaid)\b",
        r"\bno luck with\b|\bcould(?:n't| not) (?:be )?(?:finish|finished|complete|completed|get hold of)\b|\bfailed to (?:place|order|buy|complete)\b",
        r"\bnever (?:quite )?(?:went|got|made it|came) (?:through|off|in|together)\b|\bcame to nothing\b",
        r"\bfinish the (?:checkout|order|purchase)\b(?! line)",
        r"(?:\bnever|\bnot|n't) (?:actually |really |yet )?(?:been )?(?:ordered|placed|bought|purchased|booked)\b",
    ),
    "charge": (
        r"\b(?:charge|payment) (?:is |was |has been |remains |stays )?(?:still |yet )?(?:pending|outstanding|to come)\b",
        r"\bno (?:\w+ )?(?:amount|sum|money|funds|payment|charge|debit) (?:has |was |were |is )+(?:been )?(?:collected|charged|taken|debited|made|received)\b",
        r"\bnothing (?:has |had |was |is |been )*taken(?: yet| so far)?\W*$",
        r"\b(?:payment|card|amount|charge|sum|money)(?: \w+)? (?:will|is|shall) only (?:be )?(?:collected|taken|charged|billed|debited|due)\b",
        r"\b(?:unable to|not able to|couldn't|could not|failed to|can't) (?:\w+ly )?(?:process|take|complete|collect|capture|run|put through) (?:the |your )?(?:payment|charge|card|transaction)\b",
        r"\bnothing (?:has |had |was |is |been )*(?:left(?! (?:to|in|over|of|here|there|for|but|on (?:the|my|our) (?:list|shelf))\b)|come off|came off|gone off|go off|taken from|taken off|moved|debited|deducted|drawn|charged(?! twice| double| again))\b",
        r"\b(?:card|account|money)\b(?: \w+){0,2} (?:was|is|has|were)(?:n't| not)(?: been)? (?:touched|used|hit|affected)\b",
        r"\bcard (?:was |is |has been |stays |stayed |remains )*(?:left alone|untouched|not touched|clear|left out of it)\b",
        r"\bnot (?:a|one|a single) (?:cent|penny|dime|dollar|buck)\b(?!.*\b(?:outstanding|missing|more|less|owed|left|short|kept)\b)",
        r"\b(?:only|not) be (?:billed|charged|debited)\b|\b(?:still|yet) (?:owe|to be paid|need to be paid|to pay|has to be paid|unpaid|outstanding)\b|\bstill need\w* to be paid\b",
        r"(?:\b(?:not|never)|n't) (?:take|taken|took|collect|collected) (?:any|a|the|your|her|his) ?(?:\w+ )?(?:money|payment|cash|cent|penny|charge)\b",
        r"\b(?:payment|charge|money) (?:\w+ )?never (?:\w+ )?(?:reached|arrived|left|got|made it|went)\b",
        r"\bno (?:money|cash|funds|amount|payment|charge|debit) (?:has |was |had |been |is |were |have )*(?:taken|moved|left|drawn|gone|charged|made|debited)\b",
        r"\b(?:your|the) money (?:is|stays|stayed|remains|'s) (?:still )?(?:safe|yours|where it was|with you|in your|put)\b",
        r"\b(?:payment|charge|card) (?:is |was |got |has |been )*(?:not accepted|bounced|knocked back|blocked|stuck|refused|denied)\b",
    ),
    "refund": (
        r"\bwithout (?:a |any )?(?:reimbursement|refund|money back|compensation)\b",
        r"\brefund(?:ed)?(?: [\w.$]+){0,4} (?:is |was |were |has been |are )?(?:pending|withheld|denied|outstanding|awaiting|waiting|still to come|not|held up|blocked|turned down|on hold|nothing|none)\b(?! (?:of|due|a))",
        r"\bkept (?:\w+ )?(?:a |as a |some as a )?(?:\w+ )?fee\b|\bkept as a fee\b|\brestocking fee\b|\bless than you paid\b",
        r"\b(?:will|'ll) (?:only )?be (?:returned|refunded|paid back|credited) (?:once|when|after|if|as soon)\b",
        r"\brefunded (?:you )?(?:only |just )?(?:half|part|some)\b|\b(?:only|just) (?:half|part|some) (?:of it )?(?:was |has been )?(?:refunded|returned)\b",
        r"\b(?:half|part|some|a third|most) of (?:it|that|the [\w.$]+|your \w+)(?: usd)? (?:has |have |was |is |came |went |been )+(?:come |gone |so far )*(?:back|refunded|returned)\b",
        r"\bstart (?:the|your) refund\b|\bnothing (?:back|was returned|came back|returned)\b|\bno (?:\w+ )?(?:refund|reimbursement|money back|money returned)\b(?! (?:is )?(?:due|needed|to wait|necessary))",
        r"(?:\bnot|n't|\bnever) (?:yet |actually |been |seen |gotten |got |had )*(?:refunded|reimbursed|returned|given back|paid back|a refund|your money back)\b",
    ),
    "cancel": (
        r"\btoo late (?:to|for)\b(?! (?:order|buy))|(?<!cancellation )(?<!refund )\b(?:can't|cannot|can no longer|could not|couldn't) be (?:stopped|cancelled|canceled|called off|undone|halted)\b(?! (?:again|twice|a second time)\b)",
        r"\b(?:remains?|stays?|still|(?<!no longer )is) (?:in force|in effect|on order|valid|standing|active|alive|live|confirmed|on schedule|on track|on the books)\b(?! as cancelled)",
        r"\border (?:is|was|stays|remains|keeps) (?:still )?(?:running|going ahead)\b",
        r"^\W*(?:and |but )?(?:your|the) order(?:'s| is) (?:now |already )?(?:on (?:its|the) way|coming|being (?:packed|shipped|prepared))\b",
        r"\bwait(?:s|ing) to be cancell?ed\b|\bcancellation request\b(?: [\w#]+){0,3} (?:along|on|pending|lapsed|refused|in)\b|\bpassed (?:on )?your cancellation\b",
        r"\b(?:nobody|no one) (?:has )?cancelled\b|\bno cancellation\b(?! (?:fees?|charges?|costs?|polic(?:y|ies)|deadlines?))|\bnothing (?:has |was )?(?:changed|cancelled) (?:on|about|with) (?:that|the|your) order\b",
        r"\b(?:request|attempt|wish) to cancel(?: \w+){0,3} (?:was|has been|got) (?:refused|rejected|declined|denied|blocked|turned down|unsuccessful)\b",
        r"\b(?:refused|rejected|declined|denied|blocked) (?:\w+ ){0,3}cancellation\b|\bcancellation (?:\w+ ){0,2}(?:refused|rejected|declined|denied|failed|blocked|lapsed)\b",
        r"\b(?:is|are|'s|'re) still (?:coming|on (?:its|their|the) way|yours|on order)\b|\bcomes? as planned\b|\bon (?:its|their|the) way to you all the same\b",
        r"(?:'ll|\bwill) still (?:come|arrive|be (?:sent|delivered|shipped))\b",
        r"(?:'ll|\bwill) (?:still )?(?:come|arrive|be (?:sent|delivered|shipped))\b.{0,20}\b(?:anyway|all the same|nonetheless|nevertheless|regardless)\b",
        r"\border stands\b|\bstill coming (?:your way|to you)\b|\bhas been reinstated\b|\b(?:reinstated|reopened|reactivated|revived|restored|placed again|re ?placed)\b|\bwill (?:the order )?be cancelled\b",
    ),
    "mail": (
        rf"\b{_MAIL}(?: [\w#]+){{0,3}} (?:bounced|failed(?! (?:payment|charge|card|checkout|attempt|transaction|purchase|order)\b)|got lost|is delayed|was delayed|is missing|went missing|got stuck|was refused|was rejected|undeliverable|never (?:left|arrived|went|made it))\b",
        rf"(?<!^got )(?<!^received )(?<!i got )(?<!i received )(?<!but got )(?<!and got )\bno (?!second\b|other\b|further\b|more\b|extra\b|additional\b)(?:\w+ )?{_MAIL}(?: (?:could|has|was|went|is|will|can)\b.{{0,20}}\b(?:mailed|sent|out|delivered|be sent|dispatched))?\b(?! (?:back|from|of (?:it|that|this|delivery|receipt)|that|whether|either way|in return|about(?! (?:it|this)\b)|needed|numbers?|codes?|address(?:es)?|history|settings?|server|required|necessary))",
        rf"\b(?:couldn't|could not|can't|unable to|didn't|did not|wasn't able to|failed to) (?:\w+ )?(?:mail|send|email|e mail|deliver|get) (?:you )?(?:\w+ )?{_MAIL}\b(?! (?:that|whether|if|of|from|back|as to))",
        rf"\b{_MAIL}\b(?: \w+){{0,2}} (?:is |are )?(?:still |yet )+to (?:come|follow|be sent|go out)\b|\b{_MAIL} (?:will|is going to|'ll) (?:then )?(?:follow|come|be sent|arrive) (?:later|soon|shortly|separately|tomorrow)\b",
        rf"\b{_MAIL}\b(?: \w+){{0,4}} (?:i|we) (?:did not|didn't|have not|haven't) (?:send|sent|mail)\b",
        rf"\b{_MAIL}(?: [\w#]+){{0,2}} (?:didn't|did not|couldn't|could not|hasn't|wasn't|was not|never) (?:\w+ )?(?:make it|made it|go|get|be|been|sent|mailed|delivered|arrive|go out|gone)\b",
    ),
    "reserve": (
        r"\b(?:i|we|shop|store)(?:'ve| have| has)? (?:then |now |just |also )*(?:released|let go of|freed|gave back|given back|gave up|dropped|lifted|cancelled) (?:the |your |my |that |those |all )?(?:reserved |held )?(?:items?|things|products|pieces|hold|reservation|\w+ ?(?:bag|boots?|socks?|pack|tent|jacket|stove|lamp|headlamp|poles|bottles?|goods|stock))\b",
        r"\b(?:hold|reservation)(?: [\w]+){0,4} (?:was|is|has been|has|got|were) (?:then |now |just )*(?:released|dropped|lifted|let go|cancelled|expired|lapsed|freed|gone|given back)\b",
        r"\b(?:the|your|all) (?:stock|items?|goods|pieces?|reserved \w+|held \w+) (?:was|were|has been|have been|is|are) (?:then |now |already |since )*(?:released|let go|freed)\b",
        r"^\W*(?:hold|reservation) (?:released|dropped|lifted|gone|lapsed|expired)\b",
    ),
    "ship": (),
}
"""Say that it was not made."""

NOT_MEANT: Mapping[str, str] = {
    "refund": r"\b(?:hold|reservation|stock|boots?|socks?|goods|pair|pieces?|shoes?|bags?|bottles?|stoves?|lamps?|poles|tents?|jackets?|packs?)\b[^.]{0,35}\b(?:given back|returned|released)\b",
    "cancel": r"\b(?:an?|any) (?:cancelled|canceled) (?:order|purchase)\b|\b(?:hold|reservation|charge|payment|checkout|attempt|purchase|lot|whole thing|it all|rest)\b[\w ]{0,25}\b(?:cancelled|canceled|called off|withdrawn|undone|scrapped|rolled back)\b",
    "exchange": r"\b(?:digits|numbers|figures|letters|lines|names|words|two|them)\b[\w ]{0,15}\bswapped\b",
    "ship": rf"\b(?:{_MAIL}|refund|money)\b(?: [\w']+){{0,7}}? (?:on (?:its|the) way|coming|headed|heading|sent|underway|delivered)\b(?: to you)?",
    "reserve": r"\b(?:the|those|these|your|all) (?:reserved|held) (?:\w+ ){1,3}?(?:back|free|(?:was|were|has been|have been) (?:\w+ )?(?:released|let go|freed|returned|given back))\b|\b(?:held|kept) (?:back|up)\b(?! for)|\bno part of .{0,30}\bheld\b|\bon hold until\b|"
    r"\b(?:hold|reservation)\b.{0,60}\b(?:lifted|released|dropped|let go|undone|ended|freed|taken off|gone|cancelled)\b.*",
    "charge": r"\b(?:we|you|i)(?:'ve| have)?(?: both| finally| then)? (?:settled|decided) (?:on|for)\b|(?:\b(?:not|never|nothing|none)|n't) (?:be |been |was |were |has been |is )?(?:charged|billed|debited|paid)(?: for it| you)? (?:twice|double|again|more than once|anything (?:more|else|extra))\b|\bfree of charge\b|\bin charge\b",
    "order": r"\bsubmitted (?:the|your|an?|that) (?:[\w']+ ){0,2}?(?:mail|e ?mail|message|summary|comparison|charge|payment|cancellation|request)\b|\b(?:placed|submitted|packed|bagged|put) (?:back )?(?:in|into|inside) (?:your|the|a|her|his) (?:cart|basket)\b|\b(?:submitted|placed|put) (?:\w+ ){0,3}?(?:for|before you for) (?:your )?approval\b|\b(?:hold|reservation)\b.{0,30}\bplaced\b|\bplaced (?:a|the) hold\b|\bin order to\b|\bon order\b",
    "mail": r"\b(?:sent|passed|handed|gave|submitted|forwarded|put) (?:the|a|an|my|your) (?:\w+ )?(?:request|instruction|command|job|call|mail|e ?mail|message) (?:on |over |off |out |through |in )?to the (?:mail )?(?:server|service|system|shop)\b|^\W*(?:but |and |though |yet )?(?:then )?(?:got|had|received|have|heard) (?:back )?no (?:confirmation|reply|answer|receipt|response)\b.*|\b(?:i|we|i've|we've|i have|we have|but|and)(?: \w+)? (?:got|had|received|have|get|seen) (?:back )?no (?:confirmation|reply|answer|receipt|response)\b.*|\b(?:no|any|without a|a) (?:\w+ )?(?:confirmation|reply|answer|receipt|message|word) (?:back|from (?:it|the|that|them)|of (?:delivery|receipt)|that (?:it|the)|whether)\b.*|\bby (?:\w+ |'s ){0,3}mail server\b|\b(?:handed|gave|given|passed)(?: \w+){0,3} (?:over )?to the (?:mail )?server\b",
}
"""Words of a kind where nothing of it is meant."""

WILL: Mapping[str, str] = {
    "order": r"(?:place|submit|make) (?:the|your|that|this) order\b|(?:order|buy|purchase) (?:it|them|the|your)\b",
    "charge": r"(?:charge|bill|debit|run) (?:the|your|it)\b",
    "mail": r"(?:mail|email|send) (?:you )?(?:the|your|a) (?:confirmation|receipt|mail|e ?mail)\b",
    "refund": r"(?:refund|reimburse|start|issue|send|return) (?:you|it|the|your)\b(?: (?:refund|money|amount|\$?\d))?",
    "cancel": r"(?:cancel|call off) (?:it|the|your|this) (?:order)?\b|put the (?:cancellation )?request in\b",
}
"""What is still to be done, where somebody says that they will do it."""
