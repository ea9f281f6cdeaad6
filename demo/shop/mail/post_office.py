import asyncio

from aiosmtpd.smtp import SMTP, Envelope, Session

from daybook.demo.shop.faults import Fault
from daybook.demo.shop.mail import mailbox
from daybook.demo.shop.mail.mailbox import Letter
from daybook.demo.shop.waiting import first_of
from daybook.demo.shop.world import World

ACCEPTED = "250 2.0.0 Accepted"
UNAVAILABLE = "451 4.3.0 Try again later"


class PostOffice:
    """Take every message for every recipient; nothing can be looked up or taken back.

    aiosmtpd cancels the handler when the connection is lost: what is committed by then stays.
    """

    def __init__(self, world: World) -> None:
        self._world = world

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer the final dot as the fault that the message meets would have it."""
        letter = mailbox.opened(bytes(envelope.original_content or b""), envelope.rcpt_tos)
        with self._world.faults.met("mail", letter.message_id) as fault:
            if fault is None:
                return await self._accept(letter)
            return await self._spoilt(server, letter, fault)

    async def _spoilt(self, server: SMTP, letter: Letter, fault: Fault) -> str:
        ended, hurried = self._world.ended, self._world.hurried
        if fault.mode == "refuse":
            return UNAVAILABLE
        if fault.mode == "slow":
            await first_of(fault.seconds, ended, hurried)
            return UNAVAILABLE if ended.is_set() else await self._accept(letter)
        await self._accept(letter)
        if fault.mode == "timeout":
            await first_of(fault.seconds, ended, hurried)
        return await hang_up(server)

    async def _accept(self, letter: Letter) -> str:
        # Shielded, because a caller that goes while the disk is busy must not undo the rest of
        # the work: the message is then accepted although nobody was told.
        await asyncio.shield(
            self._world.database.transact(lambda connection: mailbox.accept(connection, letter))
        )
        return ACCEPTED


async def hang_up(server: SMTP) -> str:
    """Close the connection instead of answering; return only by being cancelled."""
    if isinstance(server.transport, asyncio.Transport):
        server.transport.abort()
    await asyncio.Event().wait()
    return ""


def reception(world: World) -> SMTP:
    """Return the protocol of one SMTP connection."""
    return SMTP(
        PostOffice(world),
        enable_SMTPUTF8=True,
        hostname="shop.example.org",
        ident="Daybook shop",
        loop=asyncio.get_running_loop(),
    )
