"""Rules of talk: greetings, thanks, names, yes and no."""

from typing import Final

TALK: Final = """
# ---- talk ------------------------------------------------------------------------------------

Hello       <- hi / hello / hey / good (morning / afternoon / evening / day) / greetings
Thanking    <- thanks (a lot)? / thank you (very much / so much)? / many thanks / cheers
Greeting    <- Hello (there / daybook / again)? (how are you (doing)? (today)?)? / how are you
             / how is it going
Thanks      <- (ok / okay / great / perfect / cool / alright / nice / good)? Thanking
Bye         <- bye (bye)? / farewell / cheerio / so long / take care
             / goodbye / good bye / see you (later / soon)? / good night
Help        <- help (me)? / i need help / what (else)? can you do
             / what (else)? can i (say / do / ask) / what do you (understand / do)
             / how does this work / how do i use (this / you) / show (me)? help / commands
             / instructions
Identity    <- (who / what) are you / what is your name / are you (a / an)? (real / actual)? Being
             / are you (real / there) / how do you work / who (made / built / wrote) you
             / (what / which) (ai / language)? model are you
             / (am i (talking / speaking / chatting) (to / with) / is this) (a / an)?
               (real)? Being / what (kind / sort) of (ai / model / bot / assistant) are you
             / tell me about yourself
Being       <- (human being / human / person / people / man / woman / robot / bot / machine
               / computer / ai / llm / language model / program / chatbot / chatgpt / gpt
               / claude / gemini) ((or) (a / an)? (real)? (human / person / robot / bot
               / machine / ai / program))?
Introduce   <- (my name is / call me) Name
Name        <- WORD
Agree       <- (yes / yeah / yep / yup / sure / ok / okay / correct / exactly / absolutely
               / alright / of course / please do / do it / do that / go ahead / go on
               / go for it / sounds good / that is right / that is fine / fine / i do / i agree
               / i approve (it)? / approve (it)? / approved / confirm (it)? / confirmed / right)
               (please / go ahead / do it / do that)?
Decline     <- no (thanks / thank you)? / nope / nah / not now / not yet / not today
             / nothing (else)? / never mind / nevermind / forget it / forget that / cancel / stop
             / rather not / do not (do (it / that))?
"""
