package dev.postern.ratelimit.memory;

import dev.postern.ratelimit.StoreContract;
import dev.postern.ratelimit.store.RoomStore;
import java.time.InstantSource;

class MemoryStoreIT extends StoreContract {

    @Override
    protected RoomStore open() {
        return new MemoryRoomStore(loops, InstantSource.system());
    }
}
